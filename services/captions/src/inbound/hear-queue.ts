/** The door through which units of hearing come: planning, the pieces of a title, and what is made of their words. */
import type { PoolClient } from '@vds/chassis/database/database';
import { AppError, messageOf } from '@vds/chassis/errors';
import { withScratch } from '@vds/chassis/sandbox/scratch';
import type { Claimed, Job, Queue } from '@vds/chassis/work/work';
import { cutIntoPieces } from '../domain/hearing/pieces.ts';
import { isMaking, planFor, replan, settleRound, spokenLanguage, type Title } from '../domain/title.ts';
import { extractSound, fetchPlaylist, unreadable } from '../outbound/sound.ts';
import { savePiece } from '../outbound/titles.ts';
import { enqueueLay, enqueuePieces, type HearUnit } from '../outbound/units.ts';
import { changeTitle, endBadly, enterUnit, titleKeyOf } from './change-title.ts';
import { orForGood } from './last-try.ts';
import { lay } from './lay.ts';
import { stageOf, type Deps } from './workplace.ts';

/** Hearing is six tenths of the stage. */
const HEARING_PERCENT = 60;
const SAY_EVERY_MS = 2_000;

/** More than anyone says: what comes beyond is nonsense, and would fill rows. */
const MOST_WORDS_A_SECOND = 25;

export function hearQueue(place: Deps, slots: number, maxTries: number): Queue {
  return {
    slots,
    maxTries,
    run: (job) => perform(place, job).catch(orForGood(job)),
    failed: (client, job, error) => fail(place, client, job, error),
  };
}

async function perform(place: Deps, job: Job): Promise<void> {
  const title = await enterUnit(place, job);
  const unit = job.payload as HearUnit;
  if (!title) return job.complete();
  // A title without sound has nothing under way, and its stage is ended by listening to it.
  if (!isWanted(title, unit.round) && unit.kind !== 'listen') return job.complete();
  if (unit.kind === 'listen') return listen(place, job, title, unit);
  if (unit.kind === 'piece') return hearPiece(place, job, title, unit);
  return lay(place, job, title, unit.round);
}

/** Whether the round of a unit still hears the title. */
function isWanted(title: Title, round: number): boolean {
  return isMaking(title, spokenLanguage(title), round);
}

/** What the engines can do is known now: what cannot be made comes to its end, the rest is cut into pieces. */
async function listen(place: Deps, job: Job, title: Title, { round }: HearUnit): Promise<void> {
  const { coverage, targets, media, pieceMs } = place;
  const speechLanguages = title.hasAudio ? await coverage.languages() : [];
  // A retry is asked for because the engines can do more than before: what was seen a while ago says less than that.
  const known = await coverage.known(round > 0);
  const planned = planFor(title, targets, { ...known, speechLanguages });
  const heard = planned[0]?.status === 'processing';
  const playlist = heard ? await fetchPlaylist(media, title.audioPlaylistKey) : undefined;
  const pieces = playlist ? cutIntoPieces(playlist.segments, pieceMs) : [];
  await job.complete(async (client) => {
    const after = await changeTitle(place, client, title, (now) => {
      if (!isWanted(now, round)) return now;
      return { ...replan(now, planned), chunks: pieces.length, chunksLeft: pieces.length };
    });
    if (!after || !isWanted(after, round) || !playlist) return;
    if (pieces.length === 0) await enqueueLay(client, after, round);
    else await enqueuePieces(client, after, round, playlist, pieces);
  });
}

async function hearPiece(
  place: Deps,
  job: Job,
  title: Title,
  unit: Extract<HearUnit, { kind: 'piece' }>,
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
    if (after.chunksLeft === 0) await enqueueLay(client, after, round);
  });
}

/** Notes the progress of the whole title out of that of one piece. */
function reporter(place: Deps, title: Title, job: Job): (part: number) => void {
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
  const { round } = job.payload as HearUnit;
  const end = error instanceof AppError && error.reason === unreadable ? endBadly : undefined;
  const outcome = { status: 'failed', reason: 'engine_error' } as const;
  await changeTitle(place, client, titleKeyOf(job), (now) => settleRound(now, round, outcome), end);
}
