/** The one way in which a title changes: locked, written, said, and its stage ended when nothing is under way any more. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import type { Job } from '@vds/chassis/work/work';
import { isSettled, type CaptionJob } from '../domain/caption-job.ts';
import { publishTracks } from '../outbound/publisher.ts';
import { readTitle, saveTitle, type TitleKey } from '../outbound/titles.ts';
import { enqueueTidy } from '../outbound/units.ts';
import { stageOf, type Deps as WorkerDeps } from './deps.ts';

type Deps = Pick<WorkerDeps, 'pool' | 'stages' | 'meters' | 'tidyAfterMs'>;
/** How the stage ends; one that has ended already says no more. */
type EndStage = (place: Deps, client: PoolClient, title: CaptionJob) => Promise<unknown>;

const endWell: EndStage = ({ stages }, client, title) => stages.complete(client, stageOf(title), title.state);

/** The sound itself could not be read. */
export const endBadly: EndStage = ({ stages }, client, title) =>
  stages.fail(client, stageOf(title), { code: 'internal_error', details: {} });

/**
 * Changes a title in the caller's transaction.
 * @returns the title as it is now; undefined where it was purged
 */
export async function changeTitle(
  place: Deps,
  client: PoolClient,
  key: TitleKey,
  change: (title: CaptionJob) => CaptionJob,
  end: EndStage = endWell,
): Promise<CaptionJob | undefined> {
  const before = await readTitle(client, key, true);
  if (!before) return undefined;
  const after = change(before);
  await writeChange(place, client, before, after, end);
  return after;
}

/**
 * Writes what became of a title that the caller's transaction has locked.
 * A state that moved is said with it; the last track of the stage ends the stage, well unless `end` says otherwise.
 */
export async function writeChange(
  place: Deps,
  client: PoolClient,
  before: CaptionJob,
  after: CaptionJob,
  end: EndStage = endWell,
): Promise<void> {
  if (after !== before) await saveTitle(client, after);
  if (after.state.revision !== before.state.revision) {
    await addToOutbox(client, [publishTracks(after)]);
    place.meters.moved(before.state, after.state);
  }
  if (!isSettled(after)) return;
  await end(place, client, after);
  await enqueueTidy(client, after, String(after.state.revision), place.tidyAfterMs);
}

/** The first lines of each unit: reads its title and says that the stage has begun; undefined where it was purged. */
export async function enterUnit(place: Deps, job: Job): Promise<CaptionJob | undefined> {
  const title = await readTitle(place.pool, titleKeyOf(job));
  // A retry works after the stage has ended too: whether the unit is still wanted is for the title to say.
  if (title) await place.stages.enter(stageOf(title));
  return title;
}

export function titleKeyOf({ groupKey, attempt }: Pick<Job, 'groupKey' | 'attempt'>): TitleKey {
  return {
    videoId: groupKey,
    attempt,
  };
}
