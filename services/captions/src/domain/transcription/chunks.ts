/** Cutting a long title's sound into pieces that are heard apart, each reaching into the next. */
import type { MediaSegment } from '@vds/proto/documents/media-playlist';

export type SpeechChunk = {
  readonly index: number;
  /** The segments to listen to; those behind its own are the next piece's first, heard by both. */
  readonly segments: readonly MediaSegment[];
  readonly startMs: number;
  /** Where what it hears ends. */
  readonly endMs: number;
};

/** Shorter last pieces are heard with the one before. */
const SHORTEST_SHARE = 1 / 3;

/**
 * Pieces of about `pieceMs`, cut where segments begin; each but the last goes on for one segment, and for a second at
 * least, so that whatever is spoken across the cut is heard whole by one of the two.
 */
export function cutIntoChunks(segments: readonly MediaSegment[], pieceMs: number): SpeechChunk[] {
  const from = beginnings(segments, pieceMs);
  return from.map((first, index) => {
    const next = from[index + 1] ?? segments.length;
    const cutMs = segments[next]?.startMs ?? Number.POSITIVE_INFINITY;
    const overlap = segments.slice(next).findIndex(({ endMs }) => endMs - cutMs >= 1_000);
    const heard = segments.slice(first, overlap < 0 ? segments.length : next + overlap + 1);
    return { index, segments: heard, startMs: heard[0]?.startMs ?? 0, endMs: heard.at(-1)?.endMs ?? 0 };
  });
}

/** Where pieces begin: numbers of segments. A rest too short to be worth a piece of its own stays with the last one. */
function beginnings(segments: readonly MediaSegment[], pieceMs: number): number[] {
  const from = [0];
  let start = 0;
  const end = segments.at(-1)?.endMs ?? 0;
  segments.forEach((segment, index) => {
    // The nearest boundary: segments are not all of one length.
    const least = pieceMs - (segment.endMs - segment.startMs) / 2;
    if (index === 0 || segment.startMs - start < least || end - segment.startMs < pieceMs * SHORTEST_SHARE) return;
    from.push(index);
    start = segment.startMs;
  });
  return from;
}
