/** An operator's rerun of tracks, whatever the state of the video. */
import { withTransaction } from '@vds/chassis/database/database';
import { AppError, notFound } from '@vds/chassis/errors';
import type { Stages } from '@vds/chassis/stage/run-stages';
import { readRow } from '@vds/chassis/stage/stage-rows';
import { isTombstoned, lockVideo } from '@vds/chassis/stage/tombstones';
import { planFor, reopenJob, type CaptionJob } from '../domain/caption-job.ts';
import { planJob, translateJobs } from '../domain/queued-jobs.ts';
import { readJob, readLatest } from '../outbound/caption-rows.ts';
import { RPC_TIMEOUT_MS } from '../outbound/coverage.ts';
import { captionsStage } from './captions-stage.ts';
import { writeChange } from './change-job.ts';
import type { Deps } from './deps.ts';

export type RerunRequest = {
  readonly videoId: string;
  /** Empty: every track that failed or was skipped. */
  readonly languages: readonly string[];
  readonly actor: string;
  readonly reason: string;
};

/**
 * @throws AppError NOT_FOUND where captions keeps nothing of the video, FAILED_PRECONDITION where there is nothing
 * that a rerun could make
 */
export async function rerunTracks(
  deps: Deps,
  stages: Pick<Stages, 'handle' | 'notify'>,
  { videoId, languages, actor, reason }: RerunRequest,
): Promise<void> {
  const { pool, targets, log } = deps;
  const capabilities = await deps.coverage.capabilities({ force: true, timeoutMs: RPC_TIMEOUT_MS });
  await withTransaction(pool, async (client) => {
    await lockVideo(client, videoId);
    const latest = (await isTombstoned(client, videoId)) ? undefined : await readLatest(client, videoId);
    const stage = latest && stages.handle(captionsStage, { ...latest, revision: latest.stageRevision });
    await stage?.lock(client);
    const before = latest && (await readJob(client, latest, true));
    if (!stage || !before) throw notFound(`a caption track of ${videoId}`);
    checkRerun(before, languages);
    if ((await readRow(client, 'captions', before))?.state === 'cancelled')
      throw new AppError('FAILED_PRECONDITION', 'the video is being deleted: nothing is made for it any more');
    const planned = planFor(before, targets, capabilities);
    const { job: after, transcribe, translate } = reopenJob(before, planned, languages, capabilities);
    if (after !== before) await writeChange(deps, stage, client, { before, after });
    const { generation } = after;
    if (transcribe) await stage.enqueue(client, [planJob(generation)]);
    await stage.enqueue(client, translateJobs(after, generation, translate));
    log.info({ video_id: videoId, generation, transcribe, translate, actor, reason }, 'an operator reruns tracks');
  });
  stages.notify();
}

function checkRerun(job: CaptionJob, languages: readonly string[]): void {
  const listed = job.state.tracks.map(({ language }) => language);
  const unknown = languages.filter((language) => !listed.includes(language));
  if (unknown.length > 0)
    throw new AppError(
      'FAILED_PRECONDITION',
      `the video has no track '${unknown.join("', '")}'; its tracks are ${listed.join(' ')}`,
    );
  if (!job.hasAudio && job.textsKey === '')
    throw new AppError('FAILED_PRECONDITION', 'the video has no sound: there is nothing to caption');
}
