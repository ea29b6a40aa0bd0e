/** Planning of a video's captions, and transcription of its chunks. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError, classify, messageOf } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import {
  finishGeneration,
  isTranscribing,
  needsEnglish,
  planFor,
  replan,
  type CaptionJob,
} from '../domain/caption-job.ts';
import { renderJob, transcribeJobs, withoutEnglish } from '../domain/queued-jobs.ts';
import { ENGLISH } from '../domain/routes.ts';
import { alignWords } from '../domain/speech/align-words.ts';
import { cutIntoChunks } from '../domain/transcription/chunks.ts';
import type { Span, Word } from '../domain/words.ts';
import { readJob, saveChunk } from '../outbound/caption-rows.ts';
import type { TranscriptionInput } from '../outbound/engines/speech-engine.ts';
import { isTimeout } from '../outbound/instrumented-engines.ts';
import { extractSound, fetchPlaylist, unreadable } from '../outbound/sound.ts';
import { changeJob, reportProgress } from './change-job.ts';
import type { CaptionsStageJob, Deps, FailedCaptionsJob } from './deps.ts';

/** Transcription is six tenths of the stage. */
const TRANSCRIPTION_PERCENT = 60;
const PROGRESS_EVERY_MS = 2_000;

/** More than anyone speaks: more words are an engine's error that would fill rows. */
const MAX_WORDS_A_SECOND = 25;

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
    const english = needsEnglish(after, capabilities);
    const next = chunks.length === 0 ? [renderJob(generation)] : transcribeJobs(after, playlist, chunks, english);
    await job.stage.enqueue(client, next);
  });
}

/** Turns a chunk into words, and into English ones where a track depends on them. */
export async function runTranscribe(job: CaptionsStageJob<'transcribe'>, deps: Deps): Promise<void> {
  const { startMs, endMs, generation, index, english: needed = false } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isTranscribing(captions, generation)) return job.complete();
  const { words, english } = await withScratch(deps.scratchDir, 'captions', async (scratch) => {
    const { signal } = job;
    const { levels, ...sound } = await extractSound(deps.sound, deps.media, job.payload, { scratch, signal });
    await failpoint('captions.sound-extracted');
    const input = { ...sound, language: captions.language, offsetMs: startMs };
    const report = reporter(deps, captions, job);
    const share = needed ? 0.5 : 1;
    const transcribed = await deps.speech.transcribe(input, signal, (part) => report(part * share));
    checkCount(transcribed, job.payload);
    const align = (words: readonly Word[]): Word[] => alignWords(words, { levels, offsetMs: startMs });
    const spoken = align(transcribed);
    const translated = needed ? await toEnglish(deps, job, { input, spoken, report }) : null;
    return { words: spoken, english: translated && align(translated) };
  });
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) =>
      isTranscribing(now, generation) ? { ...now, chunksLeft: now.chunksLeft - 1 } : now,
    );
    if (!after || !isTranscribing(after, generation)) return;
    await saveChunk(client, after, generation, index, { startMs, endMs, words, english });
    if (after.chunksLeft === 0) await job.stage.enqueue(client, [renderJob(generation)]);
  });
}

function checkCount(words: readonly Word[], { startMs, endMs }: Span): void {
  if (words.length > 10 + ((endMs - startMs) / 1_000) * MAX_WORDS_A_SECOND)
    throw new AppError('FAILED_PRECONDITION', 'the engine found more words than anyone can speak', {
      reason: 'engine_error',
    });
}

type Chunk = {
  readonly input: TranscriptionInput;
  /** What was transcribed of it. */
  readonly spoken: readonly Word[];
  readonly report: (part: number) => void;
};

/** The same speech in English; null where the engine rejects or hangs on it, which must not cost the transcript. */
async function toEnglish(
  { speech, log }: Deps,
  job: CaptionsStageJob<'transcribe'>,
  { input, spoken, report }: Chunk,
): Promise<readonly Word[] | null> {
  if (!speech.toEnglish) return null;
  if (spoken.length === 0) return [];
  try {
    const words = await speech.toEnglish(input, job.signal, (part) => report(0.5 + part / 2));
    checkCount(words, job.payload);
    return words;
  } catch (error) {
    if (!classify(error).permanent && !isTimeout(error)) throw job.signal.aborted ? error : asEnglishError(error);
    log.warn({ video_id: job.videoId, reason: messageOf(error) }, 'no English could be made of a part of the speech');
    return null;
  }
}

/** The same error for retries; when they are used up, `failTranscription` knows that the transcript can still be made. */
function asEnglishError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, reason, cause, details } = error;
  return new AppError(code, message, {
    ...(reason !== undefined && { reason }),
    cause,
    details: { ...details, pass: ENGLISH },
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
  if (payload.kind === 'transcribe' && error instanceof AppError && error.details['pass'] === ENGLISH)
    return job.stage.enqueue(client, [withoutEnglish(payload)]);
  const end = error instanceof AppError && error.reason === unreadable ? 'fail' : 'complete';
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => finishGeneration(now, generation, outcome), end);
}
