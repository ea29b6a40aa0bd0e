/** The captions stage: planning, transcription, rendering and translations of a video, each a job of its own. */
import type { PoolClient } from '@vds/chassis/database/database';
import { addToOutbox } from '@vds/chassis/database/outbox';
import { defineStage, limitsFor } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { openJob, planFor, requestAgain, finishInProgress, unknownCapabilities } from '../domain/caption-job.ts';
import { timedOutTwice } from '../domain/engine-errors.ts';
import { planJob, translateJobs, type QueuedJob } from '../domain/queued-jobs.ts';
import { listNames } from '../domain/names/list-names.ts';
import { namesFixedFor, readJob, saveJob, type AttemptKey } from '../outbound/caption-rows.ts';
import { tracksChanged, tracksRepeated } from '../outbound/publisher.ts';
import { changeJob } from './change-job.ts';
import { runCollect } from './collect-garbage.ts';
import { failCorrection, runCorrect } from './correction-jobs.ts';
import type { Deps, Stage } from './deps.ts';
import { failTranscription, runPlan, runRender, runTranscribe } from './transcription-jobs.ts';
import { failTranslation, runTranslate } from './translation-jobs.ts';

export const captionsStage = defineStage<Deps, QueuedJob, typeof stageEvents.captions>({
  name: 'captions',
  events: stageEvents.captions,
  plan: async ({ videoId, attempt, revision: stageRevision, publisherId, request: received }, deps, client) => {
    const { languageCode: language, durationMs, hasAudio, audioPlaylistKey, textsKey, textLanguages } = received;
    const { targets } = deps;
    const soundCues = deps.soundCues === 'all' || deps.soundCues === received.category;
    const names = listNames({ ...received, fixed: await namesFixedFor(client, publisherId) }, language);
    const sound = { durationMs, hasAudio, audioPlaylistKey, soundCues, names };
    const request = { language, ...sound, textsKey, textLanguages, stageRevision };
    const before = await readJob(client, { videoId, attempt }, true);
    // A transaction must not wait for an engine: the job `plan` queries them.
    const { job, translate } = before
      ? requestAgain(before, request)
      : {
          job: openJob({ ...request, videoId, attempt, publisherId }, planFor(request, targets, unknownCapabilities)),
          translate: [],
        };
    await saveJob(client, job);
    if (job.state.revision !== before?.state.revision) await addToOutbox(client, [tracksChanged(job)]);
    return [planJob(job.generation), ...translateJobs(job, job.generation, translate)];
  },
  alsoRepeated: async (key, client) => {
    const job = await readJob(client, key);
    return job ? [tracksRepeated(job)] : [];
  },
  jobs: {
    plan: { queue: 'transcribe', run: runPlan, failed: failTranscription },
    transcribe: { queue: 'transcribe', run: runTranscribe, failed: failTranscription },
    render: { queue: 'transcribe', run: runRender, failed: failTranscription },
    translate: { queue: 'translate', run: runTranslate, failed: failTranslation },
    correct: { queue: 'translate', run: runCorrect, failed: failCorrection },
    collect: {
      queue: 'translate',
      run: runCollect,
      failed: async (_client, _job, error, { log }) =>
        log.error({ err: error }, 'replaced tracks could not be removed'),
    },
  },
  limits: ({ request }, deps) => limitsFor(deps, request.durationMs, 8),
  onAbort: failInProgress,
  givesUp: timedOutTwice,
  runsAfterEnd: true,
});

/** Nobody makes the tracks in progress any more: they end, so that the stage ends with those that are ready. */
async function failInProgress(client: PoolClient, stage: AttemptKey & { readonly stage: Stage }, deps: Deps) {
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, stage, (job) => finishInProgress(job, outcome));
}
