/**
 * Where a video is cut into pieces that are encoded separately. Cuts are on a time grid, each half-way between two
 * pictures, so that no rounding of a clock can move a picture across; every picture belongs to exactly one piece.
 */
import type { FrameScan } from '../source/frame-scan.ts';
import type { Timeline } from '../source/timeline.ts';
import type { PieceBytes } from './piece-bytes.ts';
import { repeatTimes, SEGMENT_SECONDS } from './segment-grid.ts';

export type Piece = {
  readonly index: number;
  /** Seconds of the video; pictures with `from <= t < to` belong to the piece. The outer ends are open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Seconds of the video at which the next piece's first picture is shown, or the video ends. */
  readonly until: number;
  /** Pictures that its encoding must deliver; undefined if the frame rate is reduced. */
  readonly frames: number | undefined;
  /** Seconds of the video at which a picture that is held is delivered once more; they count as pictures. */
  readonly repeats: readonly number[];
  /** Seconds on the source's clock of what must be copied out of it to decode the piece. */
  readonly copyFrom: number | undefined;
  readonly copyTo: number | undefined;
  /** Where that lies in the file; undefined where one worker copies all pieces. */
  readonly bytes?: PieceBytes | undefined;
};

export type PieceRules = {
  /** Videos shorter than this stay whole. */
  readonly wholeBelowSeconds: number;
  /** Usual distance of the cuts; a multiple of the segments' length. */
  readonly pieceSeconds: number;
};

/** A time this shortly before a cut's nominal place counts as on it: clocks of 1 ms round downwards. */
export const TOLERANCE = 0.001;
/** Seconds before a cut that are decoded with the piece: context for deinterlacing and frame rate reduction. */
const CONTEXT = 0.2;
/** Decoding this much more than the piece itself costs more than parallel work gains. */
export const MAX_RUN_UP = 45;

/** Segments in the first piece. */
const FIRST_SEGMENTS = 2;
/** From so many usual pieces before the end on, pieces are short. */
const SHORT_AT_END = 4;

type Cut = {
  readonly at: number;
  /** Number of the first picture after the cut, and when it is shown. */
  readonly frame: number;
  readonly shown: number;
  readonly runUpFrom: number;
};

/**
 * Cuts a video, or leaves it whole where it is short. A copy does not record which pictures an edit list hides: where
 * they lie between shown ones, their times do not distinguish them, and the video stays whole. So does one whose first
 * picture begins before it is shown, and one of which a part cannot be decoded by itself.
 */
export function planPieces(scan: FrameScan, timeline: Timeline, rules: PieceRules): Piece[] {
  const isShort = timeline.end < rules.wholeBelowSeconds;
  if (isShort || scan.hiddenInside || scan.indivisible || scan.heldFrom !== undefined)
    return [pieceBetween(scan, timeline, 0)];
  const cuts: Cut[] = [];
  for (const nominal of nominalCuts(timeline.end, rules.pieceSeconds)) {
    const cut = cutAt(scan, timeline, nominal);
    if (cut && cut.frame > (cuts.at(-1)?.frame ?? 0)) cuts.push(cut);
  }
  return [undefined, ...cuts].map((from, index) => pieceBetween(scan, timeline, index, from, cuts[index]));
}

/**
 * Seconds at which a video is cut. The first piece is short, so that its pictures can be watched soon, and those near the
 * end are half as long as usual, so that no worker is waited for long while the others have nothing left to do.
 */
export function nominalCuts(end: number, usual: number): number[] {
  const segments = (count: number): number => Math.min(usual, count * SEGMENT_SECONDS);
  const short = segments(Math.ceil(usual / 2 / SEGMENT_SECONDS));
  const cuts: number[] = [];
  // A last piece shorter than half of its length joins the one before.
  for (let at = segments(FIRST_SEGMENTS); at < end - short / 2; at += end - at > SHORT_AT_END * usual ? usual : short)
    cuts.push(at);
  return cuts;
}

/** A video in one piece, which was planned in several. */
export function whole(pieces: readonly Piece[], timeline: Timeline): Piece[] {
  const repeats = pieces.flatMap((piece) => piece.repeats);
  return [
    {
      index: 0,
      from: undefined,
      to: undefined,
      until: timeline.end,
      frames: timeline.thinned ? undefined : timeline.frames + repeats.length,
      repeats,
      copyFrom: undefined,
      copyTo: undefined,
    },
  ];
}

function cutAt(scan: FrameScan, timeline: Timeline, nominal: number): Cut | undefined {
  const frame = lowerBound(scan.times, timeline.zero + nominal - TOLERANCE);
  const [before, after] = [scan.times[frame - 1], scan.times[frame]];
  if (before === undefined || after === undefined) return undefined;
  // On the delivered grid of a reduced rate the nominal place is a picture's own: half a picture before it.
  const at = timeline.thinned ? nominal - 0.5 / timeline.frameRate : (before + after) / 2 - timeline.zero;
  const key = lowerBound(scan.keys, timeline.zero + at - CONTEXT) - 1;
  const runUpFrom = scan.keys[Math.max(0, key)];
  if (runUpFrom === undefined || timeline.zero + at - runUpFrom > MAX_RUN_UP) return undefined;
  return { at, frame, shown: timeline.thinned ? nominal : after - timeline.zero, runUpFrom };
}

/** Index of the first value that is not below `wanted`. */
export function lowerBound(values: Float64Array, wanted: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function pieceBetween(scan: FrameScan, timeline: Timeline, index: number, from?: Cut, to?: Cut): Piece {
  const key = to && scan.keys[lowerBound(scan.keys, timeline.zero + to.at + CONTEXT)];
  const until = to?.shown ?? timeline.end;
  const times = scan.times.subarray(from?.frame ?? 0, to?.frame).map((time) => time - timeline.zero);
  // The video's first picture is shown from zero on.
  if (!from) times[0] = 0;
  // A reduced rate fills gaps by itself, but for the one behind the last picture.
  const held = timeline.thinned ? times.subarray(to ? times.length : -1) : times;
  const repeats = repeatTimes(held, until);
  return {
    index,
    from: from?.at,
    to: to?.at,
    until,
    frames: timeline.thinned ? undefined : times.length + repeats.length,
    repeats,
    // Seeking to a point before the first shown picture does not work.
    copyFrom: from && from.runUpFrom > (scan.times[0] ?? 0) ? from.runUpFrom : undefined,
    copyTo: key,
  };
}
