/** Joins the words of overlapping chunks: within an overlap, no word is lost and none is doubled. */
import { beginsUpper, isCutOff } from '../speech/sentence-ends.ts';
import type { Word } from '../words.ts';

export type TranscribedChunk = {
  readonly startMs: number;
  readonly endMs: number;
  readonly words: readonly Word[];
};

/** Words that a chunk's edge cuts in two lie in the outer parts of the overlap. */
const EDGE_SHARE = 0.2;
const STEP_MS = 20;
/** The times of one word in two chunks differ by less. */
const SAME_WORD_MS = 400;

/**
 * All words in the order of their times. Where one chunk takes over from another, a word that both have is written as
 * the earlier chunk does, which knows what comes before it, with the marks of the later one, which knows what follows.
 * No full stop stays where the earlier chunk has ended, but its sentence has not.
 * @param chunks in order; each begins before its predecessor ends
 */
export function joinWords(chunks: readonly TranscribedChunk[]): Word[] {
  const [first, ...rest] = chunks;
  let joined = [...(first?.words ?? [])];
  for (const [index, next] of rest.entries()) {
    const one = { ...(chunks[index] ?? next), words: joined };
    joined = joinAt(seamBetween(one, next), one.words, next.words);
  }
  return joined;
}

/** How many words each chunk has before the next one takes over; where both have the same word there, it is the first's. */
type Seam = { readonly one: number; readonly next: number; readonly isShared: boolean };

function joinAt({ one, next, isShared }: Seam, ours: readonly Word[], theirs: readonly Word[]): Word[] {
  const [before, after] = [ours.slice(0, one), theirs.slice(next)];
  const [last, theirLast, head] = [before.at(-1), theirs[next - 1], after[0]];
  const mark = isShared && theirLast ? marksOf(theirLast.text) : undefined;
  // The earlier chunk ended there; the sentence did not.
  const isCut = !isShared && last && head && isCutOff(last, head) && after.some(beginsUpper);
  if (last && mark !== undefined) before[before.length - 1] = { ...last, text: withoutMarks(last.text) + mark };
  else if (last && isCut) before[before.length - 1] = { ...last, text: last.text.replace(/[.…]+$/u, '') };
  return [...before, ...after];
}

/**
 * Where the next chunk takes over: after a word that both have, in the middle part of the overlap if possible; else as
 * far as possible from the words of either, so that each lies on the same side in both.
 */
function seamBetween(one: TranscribedChunk, next: TranscribedChunk): Seam {
  const length = one.endMs - next.startMs;
  const [from, to] = [next.startMs + length * EDGE_SHARE, one.endMs - length * EDGE_SHARE];
  const shared = length > 0 ? sharedWord(one.words, next.words, { from, to }) : undefined;
  if (shared) return { one: shared.one + 1, next: shared.next + 1, isShared: true };
  const at = length > 0 ? clearestMoment(one, next, { from, to }) : next.startMs;
  const before = (words: readonly Word[]): number => words.filter((word) => middle(word) < at).length;
  return { one: before(one.words), next: before(next.words), isShared: false };
}

type Range = { readonly from: number; readonly to: number };

/** The word of both chunks nearest to the middle of the overlap beside which there is another one of both. */
function sharedWord(ours: readonly Word[], theirs: readonly Word[], { from, to }: Range) {
  let best: { readonly one: number; readonly next: number; readonly distance: number } | undefined;
  for (const [one, word] of ours.entries()) {
    if (middle(word) < from || middle(word) >= to) continue;
    for (const [next, other] of theirs.entries()) {
      if (Math.abs(middle(word) - middle(other)) >= SAME_WORD_MS) continue;
      const distance = Math.abs(middle(word) - (from + to) / 2) + Math.abs(middle(word) - middle(other));
      if (best !== undefined && distance >= best.distance) continue;
      const follows = sameWord(ours[one + 1], theirs[next + 1]) || sameWord(ours[one - 1], theirs[next - 1]);
      if (follows && sameWord(word, other)) best = { one, next, distance };
    }
  }
  return best;
}

function clearestMoment(one: TranscribedChunk, next: TranscribedChunk, { from, to }: Range): number {
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

function sameWord(one: Word | undefined, other: Word | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const letters = bare(one.text).toLowerCase();
  return letters !== '' && letters === bare(other.text).toLowerCase();
}

/** Without the marks around it. */
function bare(text: string): string {
  return withoutMarks(text).replace(/^[\p{P}\p{S}]+/u, '');
}

function withoutMarks(text: string): string {
  return text.slice(0, text.length - marksOf(text).length);
}

function marksOf(text: string): string {
  return /[\p{P}\p{S}]*$/u.exec(text)?.[0] ?? '';
}

function middle({ startMs, endMs }: Word): number {
  return (startMs + endMs) / 2;
}
