/** What commentators say and how loudly: against their own median, as every microphone is another. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Sentence } from '../model.ts';
import { medianOf, shareOf, type Evidence } from './evidence.ts';
import { hearWords } from './words.ts';

const SECOND_MS = 1_000;
/** A voice is this far above the noise when the level rises and falls so much, in tenths of a decibel. */
const MIN_MODULATION = 30;
/** How long before the words the event may lie. */
const BEFORE_MS = 4_000;
const AFTER_MS = 1_000;
/** How long before a replay is announced the event may lie. */
const REPLAYED_MS = 30_000;

/** A sentence with its signs. */
export type Call = {
  readonly sentence: Sentence;
  /** Where its first exciting word begins in the text; undefined without one. */
  readonly wordAt: number | undefined;
  readonly evidence: Evidence;
};

/**
 * The sentences that are signs.
 * @param language BCP 47, of the sentences
 */
export function callsOf(
  sentences: readonly Sentence[],
  language: string,
  seconds: readonly AnalyzedSecond[],
): readonly Call[] {
  const loudness = sentences.map((sentence) => loudnessOf(sentence, seconds));
  const usual = medianOf(loudness.filter((level) => level !== undefined));
  return sentences.flatMap((sentence, index) => {
    const { excitement, isReplay, at } = hearWords(sentence.text, language);
    const level = loudness[index];
    const loud = level === undefined ? 0 : shareOf(level - usual, 2, 9);
    const share = (at ?? 0) / Math.max(1, sentence.text.length);
    const spokenMs = sentence.startMs + share * (sentence.endMs - sentence.startMs);
    const [reason, strength, startMs, endMs] = isReplay
      ? (['replay', 0.5, spokenMs - REPLAYED_MS, spokenMs - BEFORE_MS] as const)
      : (['commentary', callStrength(excitement, loud), spokenMs - BEFORE_MS, spokenMs + AFTER_MS] as const);
    if (strength < 0.1 || endMs <= 0) return [];
    const evidence = { reason, strength, startMs: Math.max(0, startMs), endMs, reactionEndMs: sentence.endMs };
    return [{ sentence, wordAt: at, evidence }];
  });
}

/** Words count most; a loud voice alone may be an advertisement's. */
function callStrength(excitement: number, loud: number): number {
  return excitement === 0 ? 0.4 * loud : Math.min(1, 0.75 * excitement + 0.35 * loud);
}

/** The level of the loudest half of the seconds in which the sentence is spoken. */
function loudnessOf({ startMs, endMs }: Sentence, seconds: readonly AnalyzedSecond[]): number | undefined {
  const levels = seconds
    .slice(Math.floor(startMs / SECOND_MS), Math.max(1, Math.ceil(endMs / SECOND_MS)))
    .filter(([, , modulation]) => modulation >= MIN_MODULATION)
    .map(([level]) => level)
    .toSorted((a, b) => b - a);
  return levels[Math.floor(levels.length / 4)];
}
