/** The last check of an encode: compares the results of its jobs with the plan. */
import { AppError } from '@vds/chassis/errors';
import type { EncodedRendition } from '../cmaf/rendition.ts';
import type { EncodedPiece, EncodedSound, JobResults } from '../plan/job-results.ts';
import { VIDEO_TIMESCALE } from '../plan/encode-arguments.ts';
import type { EncodePlan } from '../plan/encode-plan.ts';
import { AUDIO_FRAME, AUDIO_SAMPLE_RATE } from '../plan/sound-rate.ts';
import { isStandard } from '../source/avc-sequence.ts';
import { missingFrames, missingSound } from '../source/policy.ts';

/** Reason of an error that encoding the video as one piece avoids. */
export const unjoinable = 'pieces_unjoinable';

/** Clocks of a millisecond round; a picture is never this close to another. */
const tolerance = 0.002 * VIDEO_TIMESCALE;

/**
 * @throws AppError INVALID_ARGUMENT `source_corrupt` if pictures are missing that could not be decoded;
 * FAILED_PRECONDITION `pieces_unjoinable` if the video must be encoded as one piece, `transcode_failed` if it was
 */
export function verifyOutput(plan: EncodePlan, { pieces, sound }: Pick<JobResults, 'pieces' | 'sound'>): void {
  if (pieces.length !== plan.pieces.length || pieces.some((piece, index) => piece.index !== index))
    throw new AppError('INTERNAL', `${pieces.length} of ${plan.pieces.length} pieces are there`);
  checkSeams(plan, pieces);
  for (const piece of pieces) {
    checkColours(piece);
    checkFrames(plan, piece);
  }
  checkLengths(plan, pieces, sound);
}

/** Renditions that end together (RFC 8216 §6.2.4): players stop for good where the shortest one does. */
function checkLengths(plan: EncodePlan, pieces: readonly EncodedPiece[], sound: readonly EncodedSound[]): void {
  const rungs = plan.rungs.map((_rung, place) => pieces.flatMap((piece) => piece.rungs[place] ?? []));
  const lengths = [...rungs, ...(sound.length > 0 ? [sound] : [])].map(lengthOf);
  if (Math.max(...lengths) - Math.min(...lengths) > APART)
    throw outputFault(plan, `the renditions last ${lengths.join(', ')} s`);
}

/**
 * The results without renditions that a video can do without and that do not end with its pictures.
 * @returns also how many were left out
 */
export function withoutUnequal(results: JobResults): { readonly fitting: JobResults; readonly leftOut: number } {
  const { alternates, original, pieces } = results;
  const length = lengthOf(pieces.flatMap(({ rungs: [rung] }) => rung ?? []));
  const isEqual = (one: EncodedRendition): boolean => Math.abs(lengthOf([one]) - length) <= APART;
  const fitting = {
    ...results,
    alternates: alternates.filter((one) => one.segments.length > 0 && isEqual(one)),
    original: original && isEqual(original) ? original : null,
  };
  const count = ({ alternates: all, original: one }: JobResults): number => all.length + (one ? 1 : 0);
  return { fitting, leftOut: count(results) - count(fitting) };
}

/** Seconds by which lengths may differ. */
const APART = AUDIO_FRAME / AUDIO_SAMPLE_RATE + tolerance / VIDEO_TIMESCALE;

function lengthOf(parts: readonly EncodedRendition[]): number {
  return parts.reduce((sum, one) => sum + secondsOf(one), 0);
}

function secondsOf({ segments, timescale }: EncodedRendition): number {
  return segments.reduce((ticks, { duration }) => ticks + duration, 0) / timescale;
}

/** A piece must start with the planned picture, and end at most one gap before the next one starts. */
function checkSeams(plan: EncodePlan, pieces: readonly EncodedPiece[]): void {
  const longest = plan.timeline.longestGap * VIDEO_TIMESCALE + tolerance;
  pieces.forEach((piece, index) => {
    const before = pieces[index - 1];
    const start = (plan.pieces[index - 1]?.until ?? 0) * VIDEO_TIMESCALE;
    piece.rungs.forEach((rung, place) => {
      if (Math.abs(rung.start - start) > tolerance)
        throw outputFault(plan, `piece ${index} of ${rung.name} begins at ${rung.start}, not at ${start}`);
      const neighbour = before?.rungs[place];
      if (!neighbour) return;
      if (rung.start - neighbour.last > longest)
        throw outputFault(
          plan,
          `piece ${index - 1} of ${rung.name} ends at ${neighbour.last}, long before ${rung.start}`,
        );
      if (neighbour.init !== rung.init)
        throw outputFault(plan, `${rung.name} of piece ${index} differs in its init segment`);
    });
  });
}

/** The error for a fault that is not the source's: of the cutting if there are several pieces, else of the encoding. */
function outputFault(plan: EncodePlan, why: string): AppError {
  return new AppError('FAILED_PRECONDITION', why, { reason: plan.pieces.length > 1 ? unjoinable : 'transcode_failed' });
}

function checkColours(piece: EncodedPiece): void {
  const wrong = piece.rungs.find(({ colours }) => !isStandard(colours));
  if (wrong)
    throw new AppError(
      'INTERNAL',
      `${wrong.name} of piece ${piece.index} has colours ${JSON.stringify(wrong.colours)}`,
    );
}

function checkFrames(plan: EncodePlan, piece: EncodedPiece): void {
  const { frames: wanted, until = 0 } = plan.pieces[piece.index] ?? {};
  for (const rung of piece.rungs) {
    if (rung.samples !== piece.rungs[0]?.samples)
      throw outputFault(plan, `rungs of piece ${piece.index} differ in frames`);
    if (wanted === undefined || rung.samples === wanted) continue;
    if (rung.samples > wanted)
      throw outputFault(plan, `piece ${piece.index} has ${rung.samples} frames, its source has ${wanted}`);
    // A few pictures that cannot be decoded are no reason to reject a source.
    if (wanted - rung.samples > Math.max(3, wanted * 0.02)) {
      const at = lostAt(piece, plan.pieces[piece.index - 1]?.until ?? 0, until);
      const why = `piece ${piece.index}: ${rung.samples} of ${wanted} frames could be decoded`;
      throw missingFrames(why, at, wanted, rung.samples);
    }
  }
}

/** Seconds at which pictures of a piece are most likely missing: its longest gap. */
function lostAt({ rungs: [rung], widestGap }: EncodedPiece, from: number, until: number): number {
  if (!rung) return from;
  const gaps = [
    { at: from * VIDEO_TIMESCALE, length: rung.start - from * VIDEO_TIMESCALE },
    widestGap,
    { at: rung.last, length: until * VIDEO_TIMESCALE - rung.last },
  ];
  const [widest] = gaps.toSorted((a, b) => b.length - a.length);
  return (widest?.at ?? 0) / VIDEO_TIMESCALE;
}

/** The shortest and the longest time between two frames of sound, in ticks. */
export type AudioSteps = { readonly shortest: number; readonly longest: number };

/**
 * @throws AppError FAILED_PRECONDITION `transcode_failed` where frames overlap, are missing, or do not add up to the
 * playlist
 */
export function verifyFrames(encoded: EncodedRendition, { shortest, longest }: AudioSteps): void {
  const { samples, start, end, timescale } = encoded;
  const frame = AUDIO_FRAME * (timescale / AUDIO_SAMPLE_RATE);
  const odd = samples * frame - (end - start);
  if (shortest < frame || longest > 2 * frame || Math.abs(odd) > frame) {
    const why = `${samples} frames of sound, ${shortest} to ${longest} ticks apart, are to last ${end - start}`;
    throw new AppError('FAILED_PRECONDITION', why, { reason: 'transcode_failed' });
  }
}

/**
 * Chunks of sound must follow each other without a gap, and decoding must have found what the packets hold: those that
 * cannot be decoded leave silence, which the encoded rendition does not show.
 * @throws AppError INVALID_ARGUMENT `source_corrupt` if more than a few packets are missing; INTERNAL
 * `pieces_unjoinable` if all sound must be encoded by one worker, or was
 */
export function verifySound(
  { sound: planned, timeline: { soundLength } }: EncodePlan,
  sound: readonly EncodedSound[],
): void {
  const isJoined = sound.every(({ index, start, init }, place) => {
    const before = sound[place - 1];
    return (
      index === place && start === planned[place]?.from && (!before || (before.end === start && before.init === init))
    );
  });
  if (sound.length !== planned.length || !isJoined)
    throw new AppError('INTERNAL', 'the chunks of sound do not follow each other', { reason: unjoinable });
  const missing = sound.reduce((sum, chunk) => sum + chunk.missing, 0);
  if (missing > soundLength * 0.02 + 1) throw missingSound(soundLength - missing, soundLength);
}
