/** The last check of encode: compares the results with the plan. */
import { AppError } from '@vds/chassis/errors';
import { isStandard } from '../cmaf/colours.ts';
import type { MadeRendition } from '../cmaf/rendition.ts';
import { rejection } from '../source/policy.ts';
import type { TitlePlan } from '../plan/title-plan.ts';

export type MadePiece = {
  readonly index: number;
  /** Folder below the attempt. */
  readonly folder: string;
  readonly rungs: readonly MadeRendition[];
  /** Ticks at which storyboard tiles were taken, and the number of sheets that they fill. */
  readonly tiles: readonly number[];
  readonly sheets: number;
  /** The longest time between two pictures, and where it begins, in ticks. */
  readonly widestGap: { readonly at: number; readonly length: number };
  readonly thumbnail: { readonly width: number; readonly height: number } | null;
};

export type MadeAudio = MadeRendition & { readonly folder: string };

/** Reason of an error that encoding the video as one piece avoids. */
export const unjoinable = 'pieces_unjoinable';

const videoTicks = 90_000;
/** Clocks of a millisecond round; a picture is never this close to another. */
const tolerance = 0.002 * videoTicks;

/**
 * @throws AppError INVALID_ARGUMENT `source_corrupt` where pictures are missing that could not be decoded;
 * FAILED_PRECONDITION `pieces_unjoinable` where the video must be encoded as one piece, `transcode_failed` where it was
 */
export function verifyTitle(plan: TitlePlan, pieces: readonly MadePiece[]): void {
  if (pieces.length !== plan.pieces.length || pieces.some((piece, index) => piece.index !== index))
    throw new AppError('INTERNAL', `${pieces.length} of ${plan.pieces.length} pieces are there`);
  checkSeams(plan, pieces);
  for (const piece of pieces) {
    checkColours(piece);
    checkFrames(plan, piece);
  }
  const end = (pieces.at(-1)?.rungs[0]?.end ?? 0) / videoTicks;
  if (end < plan.timeline.videoEnd * 0.98 - 1)
    throw rejection('source_corrupt', `pictures end at ${end} of ${plan.timeline.videoEnd} s`, {
      ...endedEarly('video', end, plan.timeline.videoEnd),
    });
}

/** A piece must begin with the planned picture, and end at most one gap before the next one begins. */
function checkSeams(plan: TitlePlan, pieces: readonly MadePiece[]): void {
  const longest = plan.timeline.longestGap * videoTicks + tolerance;
  pieces.forEach((piece, index) => {
    const before = pieces[index - 1];
    const start = (plan.pieces[index - 1]?.until ?? 0) * videoTicks;
    piece.rungs.forEach((rung, place) => {
      if (Math.abs(rung.start - start) > tolerance)
        throw ours(plan, `piece ${index} of ${rung.name} begins at ${rung.start}, not at ${start}`);
      const neighbour = before?.rungs[place];
      if (!neighbour) return;
      if (rung.start - neighbour.last > longest)
        throw ours(plan, `piece ${index - 1} of ${rung.name} ends at ${neighbour.last}, long before ${rung.start}`);
      if (neighbour.init !== rung.init) throw ours(plan, `${rung.name} of piece ${index} differs in its init segment`);
    });
  });
}

/**
 * The error for a fault that is not the source's: of the cutting where there are several pieces, else of the encoding.
 */
function ours(plan: TitlePlan, why: string): AppError {
  return new AppError('FAILED_PRECONDITION', why, { reason: plan.pieces.length > 1 ? unjoinable : 'transcode_failed' });
}

function checkColours(piece: MadePiece): void {
  const wrong = piece.rungs.find(({ colours }) => !isStandard(colours));
  if (wrong)
    throw new AppError(
      'INTERNAL',
      `${wrong.name} of piece ${piece.index} has colours ${JSON.stringify(wrong.colours)}`,
    );
}

function checkFrames(plan: TitlePlan, piece: MadePiece): void {
  const wanted = plan.pieces[piece.index]?.frames;
  for (const rung of piece.rungs) {
    if (rung.samples !== piece.rungs[0]?.samples) throw ours(plan, `rungs of piece ${piece.index} differ in frames`);
    if (wanted === undefined || rung.samples === wanted) continue;
    if (rung.samples > wanted)
      throw ours(plan, `piece ${piece.index} has ${rung.samples} frames, its source has ${wanted}`);
    // A few pictures that cannot be decoded are no reason to reject a source.
    if (wanted - rung.samples > Math.max(3, wanted * 0.02))
      throw rejection('source_corrupt', `piece ${piece.index}: ${rung.samples} of ${wanted} frames could be decoded`, {
        stream: 'video',
        at_seconds: lostAt(piece, plan.pieces[piece.index - 1]?.until ?? 0, plan.pieces[piece.index]?.until ?? 0),
        expected_frames: String(wanted),
        found_frames: String(rung.samples),
      });
  }
}

/** Seconds at which pictures of a piece are most likely missing: its longest gap. */
function lostAt({ rungs: [rung], widestGap }: MadePiece, from: number, until: number): string {
  if (!rung) return from.toFixed(2);
  const gaps = [
    { at: from * videoTicks, length: rung.start - from * videoTicks },
    widestGap,
    { at: rung.last, length: until * videoTicks - rung.last },
  ];
  const [widest] = gaps.toSorted((a, b) => b.length - a.length);
  return ((widest?.at ?? 0) / videoTicks).toFixed(2);
}

function endedEarly(stream: 'video' | 'audio', found: number, expected: number): Record<string, string> {
  return {
    stream,
    at_seconds: found.toFixed(2),
    expected_seconds: expected.toFixed(2),
    found_seconds: found.toFixed(2),
  };
}

/** @throws AppError INVALID_ARGUMENT `source_corrupt` where sound is missing: a video must not silently lose it */
export function verifyAudio(plan: TitlePlan, { end, timescale }: MadeAudio): void {
  const wanted = plan.timeline.audioEnd;
  if (wanted !== undefined && end / timescale < wanted * 0.98 - 1)
    throw rejection('source_corrupt', `sound ends at ${end / timescale} of ${wanted} s`, {
      ...endedEarly('audio', end / timescale, wanted),
    });
}
