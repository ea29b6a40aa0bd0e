/** Planning of a video's captions, and transcription of its chunks. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { FailedJob } from '@vds/chassis/stage/define-stage';
import type { stageEvents } from '@vds/proto/events';
import {
  isInProgress,
  planFor,
  replan,
  settleGeneration,
  spokenLanguage,
  type CaptionJob,
} from '../domain/caption-job.ts';
import { renderJob, transcribeJobs, type QueuedJob } from '../domain/queued-jobs.ts';
import { cutIntoChunks } from '../domain/transcription/chunks.ts';
import { readJob, saveChunk } from '../outbound/caption-rows.ts';
import { extractSound, fetchPlaylist, unreadable } from '../outbound/sound.ts';
import { changeJob, failStage } from './change-job.ts';
import type { CaptionsStageJob, Deps } from './deps.ts';

/** Transcription is six tenths of the stage. */
const TRANSCRIPTION_PERCENT = 60;
const PROGRESS_EVERY_MS = 2_000;

/** More than anyone speaks: more words are nonsense that would fill rows. */
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
  // Tracks are made again because the engines may support more than before: an older answer may be outdated.
  const known = await coverage.known(generation > 0);
  const planned = planFor(captions, targets, { ...known, speechLanguages });
  const isSpoken = planned[0]?.status === 'processing';
  const playlist = isSpoken ? await fetchPlaylist(media, captions.audioPlaylistKey) : undefined;
  const chunks = playlist ? cutIntoChunks(playlist.segments, chunkMs) : [];
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) => {
      if (!isWanted(now, generation)) return now;
      return { ...replan(now, planned), chunks: chunks.length, chunksLeft: chunks.length };
    });
    if (!after || !isWanted(after, generation) || !playlist) return;
    const next = chunks.length === 0 ? [renderJob(generation)] : transcribeJobs(after, playlist, chunks);
    await job.stage.enqueue(client, next);
  });
}

/** Whether the generation of a job still makes the spoken track. */
export function isWanted(captions: CaptionJob, generation: number): boolean {
  return isInProgress(captions, spokenLanguage(captions), generation);
}

export async function runTranscribe(job: CaptionsStageJob<'transcribe'>, deps: Deps): Promise<void> {
  const { startMs, endMs, generation, index } = job.payload;
  const captions = await readJob(deps.pool, job);
  if (!captions || !isWanted(captions, generation)) return job.complete();
  const words = await withScratch(deps.scratchDir, 'captions', async (scratch) => {
    const sound = await extractSound(deps.sound, deps.media, job.payload, { scratch, signal: job.signal });
    const input = { ...sound, language: captions.language, offsetMs: startMs };
    return deps.transcribe(input, job.signal, reporter(deps, captions, job));
  });
  if (words.length > 10 + ((endMs - startMs) / 1_000) * MOST_WORDS_A_SECOND)
    throw new AppError('FAILED_PRECONDITION', 'the engine found more words than anyone can say', {
      reason: 'engine_error',
    });
  await job.complete(async (client) => {
    const after = await changeJob(deps, client, job, (now) =>
      isWanted(now, generation) ? { ...now, chunksLeft: now.chunksLeft - 1 } : now,
    );
    if (!after || !isWanted(after, generation)) return;
    await saveChunk(client, after, generation, index, { startMs, endMs, words });
    if (after.chunksLeft === 0) await job.stage.enqueue(client, [renderJob(generation)]);
  });
}

/** Derives the progress of the whole video from that of one chunk. */
function reporter(deps: Deps, captions: CaptionJob, job: CaptionsStageJob): (part: number) => void {
  let reported = 0;
  return (part) => {
    job.progress(part * 100);
    if (Date.now() - reported < PROGRESS_EVERY_MS) return;
    reported = Date.now();
    const done = captions.chunks - captions.chunksLeft + Math.min(1, part);
    job.stage
      .progress((done / Math.max(1, captions.chunks)) * TRANSCRIPTION_PERCENT)
      .catch((error: unknown) => deps.log.warn({ reason: messageOf(error) }, 'progress could not be written'));
  };
}

/** Fails every track that waited for the transcript; where the sound itself cannot be read, also the stage. */
export async function failTranscription(
  client: PoolClient,
  job: FailedJob<QueuedJob, typeof stageEvents.captions, 'plan' | 'transcribe' | 'render'>,
  error: unknown,
  deps: Deps,
): Promise<void> {
  const { generation } = job.payload;
  const end = error instanceof AppError && error.reason === unreadable ? failStage : undefined;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeJob(deps, client, job, (now) => settleGeneration(now, generation, outcome), end);
}
