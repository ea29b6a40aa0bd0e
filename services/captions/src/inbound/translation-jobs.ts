/** Translations, one track at a time. */
import type { PoolClient } from '@vds/chassis/database/database';
import { finishTrack, isInProgress, type CaptionJob } from '../domain/caption-job.ts';
import { translateTrack } from '../domain/jobs/translate-track.ts';
import { readJob } from '../outbound/caption-rows.ts';
import { translatePorts } from '../outbound/job-ports.ts';
import { changeJob, reportProgress } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

export async function runTranslate(job: CaptionsStageJob<'translate'>, deps: Deps): Promise<void> {
  const { language, generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isInProgress(captions, language, generation)) return job.complete();
  const { outcome, path, lost = 0 } = await translateTrack(translatePorts(deps, job, captions), captions, language);
  if (lost > 0) deps.log.info({ language, lost }, 'a translation lost names or numbers');
  let after: CaptionJob | undefined;
  await job.complete(async (client) => {
    after = await changeJob(deps, client, job, (now) => finishTrack(now, generation, language, outcome, path));
  });
  if (after) await reportProgress(deps, job.stage, percentOf(after));
}

/** Translating is the last four tenths of the stage. */
function percentOf({ state, inProgress }: CaptionJob): number {
  return 100 - (40 * Object.keys(inProgress).length) / Math.max(1, state.tracks.length);
}

export async function failTranslation(
  client: PoolClient,
  job: FailedCaptionsJob<'translate'>,
  _error: unknown,
  deps: Deps,
): Promise<void> {
  const { language, generation } = job.payload;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => finishTrack(now, generation, language, outcome));
}
