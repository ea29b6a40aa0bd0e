/** Which renditions of an encoded video are decoded, and which segments of them. */
import type { LadderDocument, LadderRung } from '@vds/proto/documents/ladder';
import type { MediaPlaylist, MediaSegment } from '@vds/proto/documents/media-playlist';

/** Letters below this many lines are hard to read. */
export const READABLE_LINES = 540;

/** The rung for the analysis of every picture: the smallest. */
export function smallestRung({ rungs }: Pick<LadderDocument, 'rungs'>): LadderRung {
  return rungs.reduce((least, rung) => (shortSide(rung) < shortSide(least) ? rung : least));
}

/** The rung that text is read from: the smallest that is large enough, else the largest. */
export function readingRung({ rungs }: Pick<LadderDocument, 'rungs'>): LadderRung {
  const readable = rungs.filter((rung) => shortSide(rung) >= READABLE_LINES);
  return readable.length > 0
    ? smallestRung({ rungs: readable })
    : rungs.reduce((most, rung) => (shortSide(rung) > shortSide(most) ? rung : most));
}

function shortSide({ width, height }: LadderRung): number {
  return Math.min(width, height);
}

/** The segments that hold any of `[fromMs, toMs)`. */
export function segmentsWithin({ segments }: MediaPlaylist, fromMs: number, toMs: number): readonly MediaSegment[] {
  return segments.filter(({ startMs, endMs }) => endMs > fromMs && startMs < toMs);
}
