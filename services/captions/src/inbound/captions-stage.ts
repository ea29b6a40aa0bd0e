/** The captions stage: planning, transcription, rendering and translations of a video, each a job of its own. */
import { addToOutbox } from '@vds/chassis/database/outbox';
import { AppError } from '@vds/chassis/errors';
import { defineStage } from '@vds/chassis/stage/define-stage';
import { stageEvents } from '@vds/proto/events';
import { openJob, planFor, requestAgain, unknownCapabilities } from '../domain/caption-job.ts';
import { planJob, type QueuedJob } from '../domain/queued-jobs.ts';
import { readJob, saveJob } from '../outbound/caption-rows.ts';
import { engineError } from '../outbound/instrumented-engines.ts';
import { tracksChanged, tracksRepeated } from '../outbound/publisher.ts';
import { runCollect } from './collect-garbage.ts';
import type { Deps } from './deps.ts';
import { runRender } from './render-cues.ts';
import { failTranscription, runPlan, runTranscribe } from './transcription-jobs.ts';
import { failTranslation, runTranslate } from './translation-jobs.ts';

export const captionsStage = defineStage<Deps, QueuedJob, typeof stageEvents.captions>({
  name: 'captions',
  events: stageEvents.captions,
  plan: async ({ videoId, attempt, revision: stageRevision, publisherId, request: received }, { targets }, client) => {
    const { languageCode: language, durationMs, hasAudio, audioPlaylistKey } = received;
    const request = { language, durationMs, hasAudio, audioPlaylistKey, stageRevision };
    const before = await readJob(client, { videoId, attempt }, true);
    // A transaction must not wait for an engine: the job `plan` queries them.
    const job = before
      ? requestAgain(before, request)
      : openJob({ ...request, videoId, attempt, publisherId }, planFor(request, targets, unknownCapabilities));
    await saveJob(client, job);
    if (job.state.revision !== before?.state.revision) await addToOutbox(client, [tracksChanged(job)]);
    return [planJob(job.generation)];
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
    collect: {
      queue: 'translate',
      run: runCollect,
      failed: async (_client, _job, error, { log }) =>
        log.error({ err: error }, 'replaced tracks could not be removed'),
    },
  },
  // An engine that times out twice on the same job hangs: six timeouts would outlast catalog's wait for captions.
  givesUp: (error, tries) =>
    error instanceof AppError && error.reason === engineError && error.code === 'DEADLINE_EXCEEDED' && tries >= 2,
  runsAfterEnd: true,
});
