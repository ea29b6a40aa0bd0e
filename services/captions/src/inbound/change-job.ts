/** Every change of a video's captions: locked, written, published, and the stage ended with the last track. */
import { withTransaction, type Pool, type PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { AppError, messageOf, notFound } from '@vds/chassis/errors';
import type { Stages } from '@vds/chassis/stage/run-stages';
import { readRow } from '@vds/chassis/stage/stage-rows';
import { isTombstoned, lockVideo } from '@vds/chassis/stage/tombstones';
import { stageEvents } from '@vds/proto/events';
import { isSettled, type CaptionJob } from '../domain/caption-job.ts';
import { collectJob, type QueuedJob } from '../domain/queued-jobs.ts';
import { readJob, readLatest, saveJob, type AttemptKey } from '../outbound/caption-rows.ts';
import { stateMessage, tracksChanged } from '../outbound/publisher.ts';
import type { Deps as JobDeps, Stage } from './deps.ts';

type Deps = Pick<JobDeps, 'metrics' | 'garbageAfterMs'>;

/**
 * Changes the captions of a video in the caller's transaction. The stage is locked first: a purge removes its row before
 * those of the captions.
 * @returns the changed captions; undefined where the video was purged
 */
export async function changeJob(
  deps: Deps,
  client: PoolClient,
  { stage, ...key }: AttemptKey & { readonly stage: Stage },
  change: (job: CaptionJob) => CaptionJob,
  end: 'complete' | 'fail' = 'complete',
): Promise<CaptionJob | undefined> {
  await stage.lock(client);
  const before = await readJob(client, key, true);
  if (!before) return undefined;
  const after = change(before);
  await writeChange(deps, stage, client, { before, after }, end);
  return after;
}

/**
 * Writes a change of captions that the caller's transaction has locked. A changed state is published with it, and the
 * last track ends the stage; one that has ended already publishes nothing more.
 */
export async function writeChange(
  { metrics, garbageAfterMs }: Deps,
  stage: Stage,
  client: PoolClient,
  { before, after }: { readonly before: CaptionJob; readonly after: CaptionJob },
  end: 'complete' | 'fail' = 'complete',
): Promise<void> {
  if (after !== before) await saveJob(client, after);
  if (after.state.revision !== before.state.revision) {
    await addToOutbox(client, [tracksChanged(after)]);
    metrics.tracksEnded(before.state, after.state);
  }
  if (!isSettled(after)) return;
  if (end === 'fail') await stage.fail(client, { code: 'internal_error', details: {} });
  else await stage.complete(client, { state: stateMessage(after.state) });
  await stage.enqueue(client, [collectJob(String(after.state.revision), garbageAfterMs)]);
}

/**
 * An operator's change of a video's latest captions, in a transaction of its own and whatever the state of the video.
 * @throws AppError NOT_FOUND where captions keeps nothing of the video, FAILED_PRECONDITION where it is being deleted
 */
export async function changeLatest(
  pool: Pool,
  stages: Pick<Stages, 'handle' | 'notify'>,
  videoId: string,
  change: (client: PoolClient, stage: Stage, before: CaptionJob) => Promise<void>,
): Promise<void> {
  await withTransaction(pool, async (client) => {
    await lockVideo(client, videoId);
    const latest = (await isTombstoned(client, videoId)) ? undefined : await readLatest(client, videoId);
    const stage =
      latest &&
      stages.handle<QueuedJob, typeof stageEvents.captions>(
        { name: 'captions', events: stageEvents.captions },
        { ...latest, revision: latest.stageRevision },
      );
    await stage?.lock(client);
    const before = latest && (await readJob(client, latest, true));
    if (!stage || !before) throw notFound(`a caption track of ${videoId}`);
    if ((await readRow(client, 'captions', before))?.state === 'cancelled')
      throw new AppError('FAILED_PRECONDITION', 'the video is being deleted: nothing is made for it any more');
    await change(client, stage, before);
  });
  stages.notify();
}

/** Reports the progress of the stage; a failure is only logged, as the next report follows soon. */
export async function reportProgress({ log }: Pick<JobDeps, 'log'>, stage: Stage, percent: number): Promise<void> {
  await stage
    .progress(percent)
    .catch((error: unknown) => log.warn({ reason: messageOf(error) }, 'progress could not be written'));
}
