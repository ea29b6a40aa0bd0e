/** Every change of a video's captions: locked, written, published, and the stage ended with the last track. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { isSettled, type CaptionJob } from '../domain/caption-job.ts';
import { collectJob } from '../domain/queued-jobs.ts';
import { readJob, saveJob, type AttemptKey } from '../outbound/caption-rows.ts';
import { stateMessage, tracksChanged } from '../outbound/publisher.ts';
import type { Deps as JobDeps, Stage } from './deps.ts';

type Deps = Pick<JobDeps, 'metrics' | 'garbageAfterMs'>;
/** How the stage ends; one that has ended already publishes nothing more. */
type EndStage = (stage: Stage, client: PoolClient, job: CaptionJob) => Promise<unknown>;

function completeStage(stage: Stage, client: PoolClient, { state }: CaptionJob): Promise<boolean> {
  return stage.complete(client, { state: stateMessage(state) });
}

/** For `end`: the sound itself could not be read. */
export function failStage(stage: Stage, client: PoolClient): Promise<boolean> {
  return stage.fail(client, { code: 'internal_error', details: {} });
}

/**
 * Changes the captions of a video in the caller's transaction.
 * @returns the changed captions; undefined where the video was purged
 */
export async function changeJob(
  deps: Deps,
  client: PoolClient,
  { stage, ...key }: AttemptKey & { readonly stage: Stage },
  change: (job: CaptionJob) => CaptionJob,
  end: EndStage = completeStage,
): Promise<CaptionJob | undefined> {
  const before = await readJob(client, key, true);
  if (!before) return undefined;
  const after = change(before);
  await writeChange(deps, stage, client, { before, after }, end);
  return after;
}

/**
 * Writes a change of captions that the caller's transaction has locked. A changed state is published with it; the last
 * track completes the stage, unless `end` ends it differently.
 */
export async function writeChange(
  { metrics, garbageAfterMs }: Deps,
  stage: Stage,
  client: PoolClient,
  { before, after }: { readonly before: CaptionJob; readonly after: CaptionJob },
  end: EndStage = completeStage,
): Promise<void> {
  if (after !== before) await saveJob(client, after);
  if (after.state.revision !== before.state.revision) {
    await addToOutbox(client, [tracksChanged(after)]);
    metrics.tracksMoved(before.state, after.state);
  }
  if (!isSettled(after)) return;
  await end(stage, client, after);
  await stage.enqueue(client, [collectJob(String(after.state.revision), garbageAfterMs)]);
}
