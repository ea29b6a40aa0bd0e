/** The jobs of the spoken track: planning, transcription of the chunks, rendering. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import {
  finishGeneration,
  isInProgress,
  isTranscribing,
  needsEnglish,
  replan,
  type CaptionJob,
} from '../domain/caption-job.ts';
import { planCaptions } from '../domain/jobs/plan-captions.ts';
import { finishSpoken, renderSpoken } from '../domain/jobs/render-spoken.ts';
import { isEnglishError, transcribeChunk } from '../domain/jobs/transcribe-chunk.ts';
import { renderJob, transcribeJobs, translateJobs, withoutEnglish } from '../domain/queued-jobs.ts';
import { readChunks, readJob, removeChunks, saveChunk } from '../outbound/caption-rows.ts';
import { planPorts, renderPorts, transcribePorts } from '../outbound/job-ports.ts';
import { unreadable } from '../outbound/sound.ts';
import { changeJob, reportProgress } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

/** Transcription is six tenths of the stage. */
const TRANSCRIPTION_PERCENT = 60;
const PROGRESS_EVERY_MS = 2_000;

/** Tracks that cannot be made end; the sound is cut into chunks for the others. */
export async function runPlan(job: CaptionsStageJob<'plan'>, deps: Deps): Promise<void> {
  const { targets, chunkMs } = deps;
  const { generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions) return job.complete();
  const options = { generation, targets, chunkMs };
  const { planned, capabilities, sound, names } = await planCaptions(planPorts(deps, captions), captions, options);
  const chunks = sound?.chunks ?? [];
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) => {
      if (!isTranscribing(now, generation)) return now;
      return { ...replan(now, planned), names, chunks: chunks.length, chunksLeft: chunks.length };
    });
    if (!after) return;
    await job.stage.enqueue(client, translateJobs(after, generation, providedIn(after, generation)));
    if (!isTranscribing(after, generation) || !sound) return;
    const english = needsEnglish(after, capabilities);
    const next = sound.playlist ? transcribeJobs(after, sound.playlist, sound.chunks, english) : [];
    await job.stage.enqueue(client, next.length === 0 ? [renderJob(generation)] : next);
  });
}

export async function runTranscribe(job: CaptionsStageJob<'transcribe'>, deps: Deps): Promise<void> {
  const { startMs, endMs, generation, index, english: isEnglishNeeded = false } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isTranscribing(captions, generation)) return job.complete();
  const { language, soundCues, names } = captions;
  const progress = reporter(deps, captions, job);
  const chunk = await withScratch(deps.scratchDir, 'captions', (scratch) =>
    transcribeChunk(
      transcribePorts(deps, job, { scratch, language, soundCues, names, progress }),
      job.payload,
      isEnglishNeeded,
      names,
    ),
  );
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) =>
      isTranscribing(now, generation) ? { ...now, chunksLeft: now.chunksLeft - 1 } : now,
    );
    if (!after || !isTranscribing(after, generation)) return;
    await saveChunk(client, after, generation, index, { startMs, endMs, ...chunk });
    if (after.chunksLeft === 0) await job.stage.enqueue(client, [renderJob(generation)]);
  });
}

/** Translations that the partner has sent: they wait for no transcript. */
function providedIn({ state, inProgress }: CaptionJob, generation: number): string[] {
  return state.tracks
    .filter(({ kind, provided, language }) => provided && kind !== 'captions' && inProgress[language] === generation)
    .map(({ language }) => language);
}

/** Derives the progress of the whole video from that of one chunk. */
function reporter(deps: Deps, captions: CaptionJob, job: CaptionsStageJob): (part: number) => void {
  let reported = -Infinity;
  return (part) => {
    job.progress(part * 100);
    if (performance.now() - reported < PROGRESS_EVERY_MS) return;
    reported = performance.now();
    const done = captions.chunks - captions.chunksLeft + Math.min(1, part);
    void reportProgress(deps, job.stage, (done / Math.max(1, captions.chunks)) * TRANSCRIPTION_PERCENT);
  };
}

/** The job that follows the last chunk of a generation. */
export async function runRender(job: CaptionsStageJob<'render'>, deps: Deps): Promise<void> {
  const { generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isTranscribing(captions, generation)) return job.complete();
  const chunks = await readChunks(deps.pool, captions, generation);
  const rendered = await renderSpoken(renderPorts(deps, job, captions), captions, chunks);
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) => finishSpoken(now, generation, rendered));
    if (!after) return;
    await removeChunks(client, after);
    const begun = providedIn(after, generation);
    const next = Object.keys(after.inProgress).filter(
      (other) => isInProgress(after, other, generation) && !begun.includes(other),
    );
    await job.stage.enqueue(client, translateJobs(after, generation, next));
  });
}

/**
 * Fails every track that waited for the transcript; where the sound itself cannot be read, also the stage. Where only the
 * English of a chunk could not be made, the chunk is transcribed without it.
 */
export async function failTranscription(
  client: PoolClient,
  job: FailedCaptionsJob<'plan' | 'transcribe' | 'render'>,
  error: unknown,
  deps: Deps,
): Promise<void> {
  const { payload } = job;
  const { generation } = payload;
  if (payload.kind === 'transcribe' && isEnglishError(error))
    return job.stage.enqueue(client, [withoutEnglish(payload)]);
  const end = error instanceof AppError && error.reason === unreadable ? 'fail' : 'complete';
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => finishGeneration(now, generation, outcome), end);
}
