/** Cuts the sound of a long video into overlapping chunks that are transcribed separately. */
import type { MediaSegment } from '@vds/proto/documents/media-playlist';

export type SpeechChunk = {
  readonly index: number;
  /** The segments to transcribe; those after its own are the next chunk's first, transcribed in both. */
  readonly segments: readonly MediaSegment[];
  readonly startMs: number;
  /** Where its last segment ends. */
  readonly endMs: number;
};

/** A shorter last chunk is transcribed with the one before. */
const MIN_SHARE = 1 / 3;

/**
 * Chunks of about `chunkMs`, cut where segments begin; each but the last continues for one segment, and for at least a
 * second, so that one of the two contains whatever is spoken across the cut completely.
 */
export function cutIntoChunks(segments: readonly MediaSegment[], chunkMs: number): SpeechChunk[] {
  const from = chunkStarts(segments, chunkMs);
  return from.map((first, index) => {
    const next = from[index + 1] ?? segments.length;
    const cutMs = segments[next]?.startMs ?? Number.POSITIVE_INFINITY;
    const overlap = segments.slice(next).findIndex(({ endMs }) => endMs - cutMs >= 1_000);
    const own = segments.slice(first, overlap < 0 ? segments.length : next + overlap + 1);
    return { index, segments: own, startMs: own[0]?.startMs ?? 0, endMs: own.at(-1)?.endMs ?? 0 };
  });
}

/** The numbers of the segments at which chunks begin. A short rest stays with the last chunk. */
function chunkStarts(segments: readonly MediaSegment[], chunkMs: number): number[] {
  const from = [0];
  let start = 0;
  const end = segments.at(-1)?.endMs ?? 0;
  segments.forEach((segment, index) => {
    // The nearest boundary: segments are not all of one length.
    const least = chunkMs - (segment.endMs - segment.startMs) / 2;
    if (index === 0 || segment.startMs - start < least || end - segment.startMs < chunkMs * MIN_SHARE) return;
    from.push(index);
    start = segment.startMs;
  });
  return from;
}
