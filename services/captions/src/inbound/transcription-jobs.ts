/** Planning of a video's captions, and transcription of its chunks. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import { isTranscribing, planFor, replan, finishGeneration, type CaptionJob } from '../domain/caption-job.ts';
import { renderJob, transcribeJobs } from '../domain/queued-jobs.ts';
import { cutIntoChunks } from '../domain/transcription/chunks.ts';
import { readJob, saveChunk } from '../outbound/caption-rows.ts';
import { extractSound, fetchPlaylist, unreadable } from '../outbound/sound.ts';
import { changeJob, reportProgress } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

/** Transcription is six tenths of the stage. */
const TRANSCRIPTION_PERCENT = 60;
const PROGRESS_EVERY_MS = 2_000;

/** More than anyone speaks: more words are an engine's error that would fill rows. */
const MOST_WORDS_A_SECOND = 25;

/**
 * Queries what the engines support: tracks that cannot be made end, and the sound is cut into chunks for the others.
 */
export async function runPlan(job: CaptionsStageJob<'plan'>, deps: Deps): Promise<void> {
  const { coverage, targets, media, chunkMs } = deps;
  const { generation } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions) return job.complete();
  const speechLanguages = captions.hasAudio ? await coverage.languages() : [];
  // Tracks are made again because the engines may support more than before: a cached response may be outdated.
  const capabilities = await coverage.capabilities({ force: generation > 0 });
  const planned = planFor(captions, targets, { ...capabilities, speechLanguages });
  const isSpoken = planned[0]?.status === 'processing';
  const playlist = isSpoken ? await fetchPlaylist(media, captions.audioPlaylistKey) : undefined;
  const chunks = playlist ? cutIntoChunks(playlist.segments, chunkMs) : [];
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) => {
      if (!isTranscribing(now, generation)) return now;
      return { ...replan(now, planned), chunks: chunks.length, chunksLeft: chunks.length };
    });
    if (!after || !isTranscribing(after, generation) || !playlist) return;
    const next = chunks.length === 0 ? [renderJob(generation)] : transcribeJobs(after, playlist, chunks);
    await job.stage.enqueue(client, next);
  });
}

export async function runTranscribe(job: CaptionsStageJob<'transcribe'>, deps: Deps): Promise<void> {
  const { startMs, endMs, generation, index } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isTranscribing(captions, generation)) return job.complete();
  const words = await withScratch(deps.scratchDir, 'captions', async (scratch) => {
    const sound = await extractSound(deps.sound, deps.media, job.payload, { scratch, signal: job.signal });
    await failpoint('captions.sound-extracted');
    const input = { ...sound, language: captions.language, offsetMs: startMs };
    return deps.transcribe(input, job.signal, reporter(deps, captions, job));
  });
  if (words.length > 10 + ((endMs - startMs) / 1_000) * MOST_WORDS_A_SECOND)
    throw new AppError('FAILED_PRECONDITION', 'the engine found more words than anyone can speak', {
      reason: 'engine_error',
    });
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) =>
      isTranscribing(now, generation) ? { ...now, chunksLeft: now.chunksLeft - 1 } : now,
    );
    if (!after || !isTranscribing(after, generation)) return;
    await saveChunk(client, after, generation, index, { startMs, endMs, words });
    if (after.chunksLeft === 0) await job.stage.enqueue(client, [renderJob(generation)]);
  });
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

/** Fails every track that waited for the transcript; where the sound itself cannot be read, also the stage. */
export async function failTranscription(
  client: PoolClient,
  job: FailedCaptionsJob<'plan' | 'transcribe' | 'render'>,
  error: unknown,
  deps: Deps,
): Promise<void> {
  const { generation } = job.payload;
  const end = error instanceof AppError && error.reason === unreadable ? 'fail' : 'complete';
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => finishGeneration(now, generation, outcome), end);
}
