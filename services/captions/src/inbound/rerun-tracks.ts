/** An operator's rerun of tracks, whatever the state of the video. */
import { AppError } from '@vds/chassis/errors';
import type { Stages } from '@vds/chassis/stage/run-stages';
import { isCorrected, planFor, reopenJob, type CaptionJob } from '../domain/caption-job.ts';
import { planJob, translateJobs } from '../domain/queued-jobs.ts';
import { RPC_TIMEOUT_MS } from '../outbound/coverage.ts';
import { changeLatest, writeChange } from './change-job.ts';
import type { Deps } from './deps.ts';

export type RerunRequest = {
  readonly videoId: string;
  /** Empty: every track that failed or was skipped. */
  readonly languages: readonly string[];
  /** Make tracks again that the staff has corrected, too. */
  readonly overwriteCorrected: boolean;
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
  { videoId, languages, overwriteCorrected, actor, reason }: RerunRequest,
): Promise<void> {
  const { targets, log } = deps;
  const capabilities = await deps.coverage.capabilities({ force: true, timeoutMs: RPC_TIMEOUT_MS });
  await changeLatest(deps.pool, stages, videoId, async (client, stage, before) => {
    checkRerun(before, languages, overwriteCorrected);
    const planned = planFor(before, targets, capabilities);
    const reopened = reopenJob(before, planned, languages, capabilities, overwriteCorrected);
    const { job: after, transcribe, translate } = reopened;
    if (after !== before) await writeChange(deps, stage, client, { before, after });
    const { generation } = after;
    if (transcribe) await stage.enqueue(client, [planJob(generation)]);
    await stage.enqueue(client, translateJobs(after, generation, translate));
    const what = { video_id: videoId, generation, transcribe, translate, overwriteCorrected, actor, reason };
    log.info(what, 'an operator reruns tracks');
  });
}

function checkRerun(job: CaptionJob, languages: readonly string[], overwrite: boolean): void {
  const listed = job.state.tracks.map(({ language }) => language);
  const unknown = languages.filter((language) => !listed.includes(language));
  if (unknown.length > 0)
    throw new AppError(
      'FAILED_PRECONDITION',
      `the video has no track '${unknown.join("', '")}'; its tracks are ${listed.join(' ')}`,
    );
  const corrected = overwrite ? [] : languages.filter((language) => isCorrected(job, language));
  if (corrected.length > 0)
    throw new AppError(
      'FAILED_PRECONDITION',
      `the staff has corrected '${corrected.join("', '")}': a rerun keeps that, unless it is told to overwrite it`,
    );
  if (!job.hasAudio && job.textsKey === '')
    throw new AppError('FAILED_PRECONDITION', 'the video has no sound: there is nothing to caption');
}
