/**
 * Removes what pocketsphinx recognizes in sound without speech: it fits words to music and noise, and its probabilities
 * do not reveal it, as they only compare its own guesses. The pace does: people speak 2 to 6 words a second; a chord
 * becomes one long word, a melody a series of very short ones.
 */
import { splitBetween, type Word } from '../../domain/words.ts';

export type Guess = Omit<Word, 'confidence'> & {
  readonly confidence: number;
  /** Which segment of sound it was found in. */
  readonly segment: number;
};

/** Measured: synthesised and recorded speech 2.3 to 4.1, also under noise; chords, beats and film music below 1.9. */
const SLOWEST_WORDS_A_SECOND = 2;
/** Measured: a plucked melody 6.1 to 14. */
const FASTEST_WORDS_A_SECOND = 6;
/** Mean over a run; speech under loud noise had 0.32 and more, music at the pace of speech 0.06 to 0.2. */
const LEAST_CONFIDENCE = 0.25;
/** The pace of two words proves little. */
const LEAST_CONFIDENCE_OF_FEW = 0.5;
const FEW_WORDS = 2;
/** Words between longer silences are judged separately. */
const PAUSE_MS = 500;
/** Share of an interval's words; where fewer pass, they passed by chance. */
const LEAST_SHARE = 1 / 3;

/** The guesses that are speech, in their order. */
export function keepSpeech(guesses: readonly Guess[]): Guess[] {
  const runs = splitBetween(
    guesses,
    (last, next) => next.segment !== last.segment || next.startMs - last.endMs >= PAUSE_MS,
  );
  const kept = runs.filter(isSpoken).flat();
  const count = (all: readonly Guess[], segment: number): number => all.filter((one) => one.segment === segment).length;
  return kept.filter(({ segment }) => count(kept, segment) >= LEAST_SHARE * count(guesses, segment));
}

function isSpoken(run: readonly Guess[]): boolean {
  const seconds = sum(run.map(({ startMs, endMs }) => endMs - startMs)) / 1_000;
  const pace = run.length / seconds;
  const confidence = sum(run.map((guess) => guess.confidence)) / run.length;
  const least = run.length <= FEW_WORDS ? LEAST_CONFIDENCE_OF_FEW : LEAST_CONFIDENCE;
  return pace >= SLOWEST_WORDS_A_SECOND && pace <= FASTEST_WORDS_A_SECOND && confidence >= least;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
