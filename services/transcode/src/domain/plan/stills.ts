/**
 * Storyboard and thumbnail: small pictures at regular times for scrubbing, and one good picture for the whole video.
 */
import type { Timeline } from '../source/timeline.ts';
import type { Rung } from './ladder.ts';
import type { Piece } from './pieces.ts';

export type Storyboard = {
  /** Seconds between two tiles. */
  readonly interval: number;
  /** Size of a tile. */
  readonly width: number;
  readonly height: number;
  /** Tiles on one sheet. */
  readonly columns: number;
  readonly rows: number;
};

const LONG_SIDE = 160;
const COLUMNS = 10;

/**
 * @param pieceSeconds usual length of a piece: a sheet holds one piece's tiles
 */
export function planStoryboard(timeline: Timeline, top: Rung, pieceSeconds: number): Storyboard {
  const seconds = timeline.end;
  const interval = seconds < 60 ? 1 : seconds < 300 ? 2 : seconds < 3_600 ? 5 : 10;
  const tiles = Math.ceil(Math.min(seconds, Math.max(pieceSeconds, 120)) / interval) + 1;
  const scale = LONG_SIDE / Math.max(top.width, top.height);
  return {
    interval,
    width: even(top.width * scale),
    height: even(top.height * scale),
    columns: Math.min(COLUMNS, tiles),
    rows: Math.min(10, Math.ceil(tiles / COLUMNS)),
  };
}

function even(length: number): number {
  return Math.max(2, 2 * Math.round(length / 2));
}

/**
 * Seconds of the video from which the thumbnail is chosen: a third of the way in, away from opening titles and credits.
 */
export function thumbnailSpan(piece: Piece, timeline: Timeline): { from: number; to: number; step: number } {
  const start = piece.from ?? 0;
  const length = Math.min(piece.until, timeline.last) - start;
  // With a handful of pictures, any of them may be the only candidate.
  const from = piece.frames !== undefined && piece.frames < 24 ? start - 1 : start + length * 0.15;
  return { from, to: start + length * 0.7, step: Math.max(0.2, (length * 0.55) / 12) };
}

/** The number of the piece that the thumbnail is chosen from. */
export function thumbnailPiece(pieces: number): number {
  return Math.floor(pieces / 3);
}

/** Which pictures become tiles: the first of every interval, as the filter graph selects them. */
export function tileTimes(ticks: readonly number[], interval: number): number[] {
  const cell = (time: number): number => Math.floor((time / 90_000 + 0.001) / interval);
  return ticks.filter((time, index) => {
    const before = ticks[index - 1];
    return before === undefined || cell(time) > cell(before);
  });
}
