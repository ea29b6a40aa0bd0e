/** The door through which units of hearing come: planning, the pieces of a title, and what is made of their words. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Claimed, Job, Queue } from '@vds/chassis/work/work';
import { cutIntoChunks } from '../domain/transcription/chunks.ts';
import {
  isInProgress,
  planFor,
  replan,
  settleGeneration,
  spokenLanguage,
  type CaptionJob,
} from '../domain/caption-job.ts';
import { extractSound, fetchPlaylist, unreadable } from '../outbound/sound.ts';
import { savePiece } from '../outbound/titles.ts';
import { enqueueRendering, enqueuePieces, type TranscriptionJob } from '../outbound/units.ts';
import { changeTitle, endBadly, enterUnit, titleKeyOf } from './change-title.ts';
import { failPermanently } from './fail-permanently.ts';
import { renderCues } from './render-cues.ts';
import { stageOf, type Deps } from './deps.ts';

/** Hearing is six tenths of the stage. */
const HEARING_PERCENT = 60;
const SAY_EVERY_MS = 2_000;

/** More than anyone says: what comes beyond is nonsense, and would fill rows. */
const MOST_WORDS_A_SECOND = 25;

export function transcriptionQueue(place: Deps, slots: number, maxTries: number): Queue {
  return {
    slots,
    maxTries,
    run: (job) => perform(place, job).catch(failPermanently(job)),
    failed: (client, job, error) => fail(place, client, job, error),
  };
}

async function perform(place: Deps, job: Job): Promise<void> {
  const title = await enterUnit(place, job);
  const unit = job.payload as TranscriptionJob;
  if (!title) return job.complete();
  // A title without sound has nothing under way, and its stage is ended by listening to it.
  if (!isWanted(title, unit.round) && unit.kind !== 'listen') return job.complete();
  if (unit.kind === 'listen') return listen(place, job, title, unit);
  if (unit.kind === 'piece') return hearPiece(place, job, title, unit);
  return renderCues(place, job, title, unit.round);
}

/** Whether the round of a unit still hears the title. */
function isWanted(title: CaptionJob, round: number): boolean {
  return isInProgress(title, spokenLanguage(title), round);
}

/** What the engines can do is known now: what cannot be made comes to its end, the rest is cut into pieces. */
async function listen(place: Deps, job: Job, title: CaptionJob, { round }: TranscriptionJob): Promise<void> {
  const { coverage, targets, media, pieceMs } = place;
  const speechLanguages = title.hasAudio ? await coverage.languages() : [];
  // A retry is asked for because the engines can do more than before: what was seen a while ago says less than that.
  const known = await coverage.known(round > 0);
  const planned = planFor(title, targets, { ...known, speechLanguages });
  const heard = planned[0]?.status === 'processing';
  const playlist = heard ? await fetchPlaylist(media, title.audioPlaylistKey) : undefined;
  const pieces = playlist ? cutIntoChunks(playlist.segments, pieceMs) : [];
  await job.complete(async (client) => {
    const after = await changeTitle(place, client, title, (now) => {
      if (!isWanted(now, round)) return now;
      return { ...replan(now, planned), chunks: pieces.length, chunksLeft: pieces.length };
    });
    if (!after || !isWanted(after, round) || !playlist) return;
    if (pieces.length === 0) await enqueueRendering(client, after, round);
    else await enqueuePieces(client, after, round, playlist, pieces);
  });
}

async function hearPiece(
  place: Deps,
  job: Job,
  title: CaptionJob,
  unit: Extract<TranscriptionJob, { kind: 'piece' }>,
): Promise<void> {
  const { startMs, endMs, round } = unit;
  const words = await withScratch(place.scratchDir, 'captions', async (scratch) => {
    const sound = await extractSound(place.sound, place.media, unit, { scratch, signal: job.signal });
    const input = { ...sound, language: title.language, offsetMs: startMs };
    return place.hear(input, job.signal, reporter(place, title, job));
  });
  if (words.length > 10 + ((endMs - startMs) / 1_000) * MOST_WORDS_A_SECOND)
    throw new AppError('FAILED_PRECONDITION', 'the engine hears more than anyone can say', { reason: 'engine_error' });
  await job.complete(async (client) => {
    const after = await changeTitle(place, client, title, (now) =>
      isWanted(now, round) ? { ...now, chunksLeft: now.chunksLeft - 1 } : now,
    );
    if (!after || !isWanted(after, round)) return;
    await savePiece(client, after, round, unit.index, { startMs, endMs, words });
    if (after.chunksLeft === 0) await enqueueRendering(client, after, round);
  });
}

/** Notes the progress of the whole title out of that of one piece. */
function reporter(place: Deps, title: CaptionJob, job: Job): (part: number) => void {
  let noted = 0;
  return (part) => {
    job.progress(part * 100);
    if (Date.now() - noted < SAY_EVERY_MS) return;
    noted = Date.now();
    const done = title.chunks - title.chunksLeft + Math.min(1, part);
    place.stages
      .progress(stageOf(title), (done / Math.max(1, title.chunks)) * HEARING_PERCENT)
      .catch((error: unknown) => place.log.warn({ reason: messageOf(error) }, 'progress could not be written down'));
  };
}

/** What waited for the speech fails; where the sound itself cannot be read, so does the stage. */
async function fail(place: Deps, client: PoolClient, job: Claimed, error: unknown): Promise<void> {
  const { round } = job.payload as TranscriptionJob;
  const end = error instanceof AppError && error.reason === unreadable ? endBadly : undefined;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeTitle(place, client, titleKeyOf(job), (now) => settleGeneration(now, round, outcome), end);
}
