/** Joins the words of overlapping chunks: within an overlap, no word is lost and none is doubled. */
import type { Word } from '../words.ts';

export type TranscribedChunk = {
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly Word[];
};

/** Words that a chunk's edge cuts in two lie in the outer parts of the overlap. */
const EDGE_SHARE = 0.2;
const STEP_MS = 20;

/**
 * All words in the order of their times.
 * @param chunks in order; each begins before its predecessor ends
 */
export function joinWords(chunks: readonly TranscribedChunk[]): Word[] {
  const seams = chunks.slice(1).map((next, index) => seamBetween(chunks[index] ?? next, next));
  return chunks.flatMap(({ words }, index) => {
    const from = seams[index - 1] ?? Number.NEGATIVE_INFINITY;
    const to = seams[index] ?? Number.POSITIVE_INFINITY;
    return words.filter((word) => middle(word) >= from && middle(word) < to);
  });
}

/**
 * The moment at which the words of the next chunk take over: in the middle part of the overlap, as far as possible from
 * the words of either chunk, so that each word lies on the same side in both.
 */
function seamBetween(one: TranscribedChunk, next: TranscribedChunk): number {
  const length = one.endMs - next.startMs;
  if (length <= 0) return next.startMs;
  const [from, to] = [next.startMs + length * EDGE_SHARE, one.endMs - length * EDGE_SHARE];
  const near = ({ startMs, endMs }: Word): boolean => endMs >= next.startMs && startMs <= one.endMs;
  const [ours, theirs] = [one.words.filter(near), next.words.filter(near)];
  let best = { at: (from + to) / 2, clear: Number.NEGATIVE_INFINITY };
  for (let at = from; at <= to; at += STEP_MS) {
    const clear = Math.min(clearance(ours, at), clearance(theirs, at));
    if (clear > best.clear) best = { at, clear };
  }
  return best.at;
}

/** The distance of a moment from the nearest word; negative inside of one. */
function clearance(words: readonly Word[], at: number): number {
  return words.reduce((least, { startMs, endMs }) => Math.min(least, at < startMs ? startMs - at : at - endMs), 10_000);
}

function middle({ startMs, endMs }: Word): number {
  return (startMs + endMs) / 2;
}
