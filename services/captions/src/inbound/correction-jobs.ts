/** Corrections of the staff: the job that stores one, and what is translated from it. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { isInProgress } from '../domain/caption-job.ts';
import { abandonCorrection, finishCorrection, renderCorrection } from '../domain/jobs/render-correction.ts';
import { translateJobs } from '../domain/queued-jobs.ts';
import { readJob } from '../outbound/caption-rows.ts';
import { renderPorts } from '../outbound/job-ports.ts';
import { trackCorrected } from '../outbound/publisher.ts';
import { changeJob } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

export async function runCorrect(job: CaptionsStageJob<'correct'>, deps: Deps): Promise<void> {
  const { payload } = job;
  const { language, generation } = payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isInProgress(captions, language, generation)) return job.complete();
  const rendered = await renderCorrection(renderPorts(deps, job, captions), captions, payload);
  await job.complete(async (client) => {
    let wasRevision = Infinity;
    const after = await changeJob(deps, client, job, (now) => {
      wasRevision = now.state.revision;
      return finishCorrection(now, payload, rendered);
    });
    if (!after) return;
    if (after.state.revision > wasRevision) await addToOutbox(client, [trackCorrected(after, payload, wasRevision)]);
    // Of a correction of another track than the spoken one, none has its generation.
    const next = Object.keys(after.inProgress).filter((other) => isInProgress(after, other, generation));
    await job.stage.enqueue(client, translateJobs(after, generation, next));
  });
}

export async function failCorrection(
  client: PoolClient,
  job: FailedCaptionsJob<'correct'>,
  error: unknown,
  deps: Deps,
): Promise<void> {
  deps.log.error({ err: error, language: job.payload.language }, 'a correction could not be stored');
  await changeJob(deps, client, job, (now) => abandonCorrection(now, job.payload));
}
