/**
 * Separates what was spoken from what Whisper invents where nobody speaks: in music, noise, crowds and silence it
 * continues with the likeliest phrases, over and over. Its own figures reveal them.
 */
import { splitBetween, type Word } from '../words.ts';

/** A line of Whisper's; its figures are of the window (up to 30 s) that it is from. */
export type Segment = {
  readonly words: readonly Word[];
  /** Lines of text: its window as it is heard with a list of names in mind; empty without one. */
  readonly hint?: string;
  /** The model's probability that nobody speaks, 0 to 1. */
  readonly noSpeech: number;
  /** Mean logarithm of the probabilities of its tokens: 0 is certain. */
  readonly logProbability: number;
  /** How much smaller the text becomes when it is compressed: repeated text has more. */
  readonly compression: number;
};

/** As of Whisper's authors; invented loops had 2.5 to 26, English speech at most 1.7. */
const MAX_COMPRESSION = 2.4;
/** Whisper's authors' threshold; noise, music and silence had 0.65 to 0.99. */
const MAX_NO_SPEECH = 0.6;
/** Where nobody seems to speak, only text that the model is sure of is kept: inventions that do not loop had less. */
const MIN_LOG_PROBABILITY = -0.8;
/** Below it somebody surely speaks: speech had at most 0.23, or 0.38 where noise was only 3 dB below it. */
const SURELY_SPEECH = 0.3;
/** Where it is not sure, text of so unlikely words is a guess: speech under loud noise had -1.3. */
const MIN_LOG_PROBABILITY_OF_SPEECH = -1.75;
/** The same line more often in a row is a loop over several windows, unless somebody surely speaks. */
const MAX_REPEATS = 2;

/** The segments that are speech, in their order. */
export function withoutInvented<S extends Segment>(segments: readonly S[]): S[] {
  const runs = splitBetween(segments.filter(isPlausible), (last, next) => lineOf(last) !== lineOf(next));
  return runs.filter((run) => !isLoop(run)).flat();
}

function isPlausible({ words, noSpeech, logProbability, compression }: Segment): boolean {
  return words.length > 0 && compression <= MAX_COMPRESSION && logProbability >= leastLogProbability(noSpeech);
}

function leastLogProbability(noSpeech: number): number {
  if (noSpeech > MAX_NO_SPEECH) return MIN_LOG_PROBABILITY;
  return noSpeech > SURELY_SPEECH ? MIN_LOG_PROBABILITY_OF_SPEECH : -Infinity;
}

function isLoop(run: readonly Segment[]): boolean {
  return run.length > MAX_REPEATS && run.every(({ noSpeech }) => noSpeech > SURELY_SPEECH);
}

/** What makes two lines the same: letters and digits. */
function lineOf({ words }: Segment): string {
  return words
    .map(({ text }) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .filter((text) => text !== '')
    .join(' ');
}
