/**
 * Corrects the times of words by the sound. Speech engines let a word begin too early: the first one with the silence
 * before it, and the one after a pause where the word before it ends.
 */
import { divideSpan, type Word } from '../words.ts';
import { MIN_LEVEL, STEP_MS } from './envelope.ts';
import { endsClause } from './sentence-ends.ts';

/** Part of the loudest level around a word (its 90th percentile) below which there is no speech; -28 dB. */
const QUIET = 0.04;
/** In noise, a pause is what is hardly louder than the quietest tenth of the sound around a word. */
const ABOVE_FLOOR = 1.6;
/** Where noise is louder than this part of the speech, the sound shows no pauses. */
const MAX_QUIET = 0.16;
/** The sound around a word by which it is judged. */
const AROUND_MS = 3_000;
/**
 * What may be left of the word before within the time of a word, and how long a pause then follows. A shorter pause is a
 * stop consonant; after a long one, the sound before it does not belong to the word.
 */
const remainders = [
  { tailMs: 160, pauseMs: 200 },
  { tailMs: 350, pauseMs: 500 },
] as const;
const MAX_TAIL_MS = 350;
/** The part of a word's time that the end of the word before fills where the rest of it is silent. */
const MAX_TAIL = 0.4;
/** A silent word belongs to a next one that begins later by at most so much: silence may be cut out before the engine. */
const MAX_GAP_MS = 4_000;
/** A word keeps at least this much time. */
const MIN_MS = 80;
/** Soft sounds begin before they can be measured. */
const SOFT_MS = 30;

/** The envelope of a part of the video's sound. */
export type SoundLevels = {
  readonly levels: readonly number[];
  /** Where it begins in the video. */
  readonly offsetMs: number;
};

/**
 * The words with later starts where the sound shows that they begin later. A word whose whole time is silent shares
 * what is spoken of the next word's time.
 * @param words in order
 */
export function alignWords(words: readonly Word[], sound: SoundLevels): Word[] {
  const startIn = speechStarts(sound);
  const out: Word[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const [word, next] = [words[index], words[index + 1]];
    if (word === undefined) break;
    const adjacent = next !== undefined && next.startMs - word.endMs <= MAX_GAP_MS ? next : undefined;
    const startMs = startIn(word, (adjacent ?? word).endMs);
    if (startMs <= word.endMs - MIN_MS) out.push({ ...word, startMs });
    else if (startMs === word.startMs || adjacent === undefined) out.push(word);
    else {
      out.push(...divideSpan([word, adjacent], ({ text }) => text.length, { startMs, endMs: adjacent.endMs }));
      index += 1;
    }
  }
  return out;
}

/** Finds where a word begins to be spoken: at its start where it does already, or where nobody speaks until `reachMs`. */
function speechStarts({ levels, offsetMs }: SoundLevels): (word: Word, reachMs: number) => number {
  const quietAt = quietLevels(levels);
  return (word, reachMs) => {
    const [from, to] = [stepOf(word.startMs - offsetMs), stepOf(reachMs - MIN_MS - offsetMs)];
    const quiet = quietAt(from);
    const isQuiet = (at: number): boolean => (levels[at] ?? 0) <= quiet;
    let [begin, at] = [from, from];
    while (at < to && at - begin <= stepOf(MAX_TAIL_MS)) {
      const pause = at;
      while (at < to && isQuiet(at)) at += 1;
      const [tailMs, pauseMs] = [(pause - begin) * STEP_MS, (at - pause) * STEP_MS];
      const isOutside = at * STEP_MS + offsetMs > word.endMs - MIN_MS;
      const skips = tailMs === 0 || (isRemainder(tailMs, pauseMs) && (!isOutside || isMostlySilent(word, tailMs)));
      if (pauseMs > 0 && skips) begin = at;
      else at += 1;
    }
    return begin === from || begin >= to ? word.startMs : Math.max(word.startMs, begin * STEP_MS - SOFT_MS + offsetMs);
  };
}

function isRemainder(tailMs: number, pauseMs: number): boolean {
  return remainders.some((least) => tailMs <= least.tailMs && pauseMs >= least.pauseMs);
}

/** Whether what is heard first in the time of a word cannot be the word itself: it is short, and no pause is due after it. */
function isMostlySilent(word: Word, tailMs: number): boolean {
  return !endsClause(word) && tailMs <= (word.endMs - word.startMs) * MAX_TAIL;
}

function stepOf(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

/** The level up to which the sound around a step is a pause, computed once a second; below 0 where all of it is too soft. */
export function quietLevels(levels: readonly number[]): (step: number) => number {
  const known = new Map<number, number>();
  const second = stepOf(1_000);
  return (step) => {
    const middle = (Math.floor(step / second) + 0.5) * second;
    const found = known.get(middle) ?? quietLevel(levels, middle);
    known.set(middle, found);
    return found;
  };
}

/** Below any level where the sound is too soft to judge. */
function quietLevel(levels: readonly number[], middle: number): number {
  const around = levels
    .slice(Math.max(0, middle - stepOf(AROUND_MS)), Math.max(0, middle + stepOf(AROUND_MS)))
    .toSorted((one, other) => one - other);
  const [floor = 0, loud = 0] = [around[Math.floor(around.length * 0.1)], around[Math.floor(around.length * 0.9)]];
  if (loud < MIN_LEVEL) return -1;
  return Math.min(Math.max(loud * QUIET, floor * ABOVE_FLOOR), loud * MAX_QUIET);
}
