/**
 * Separates speech from what an engine recognizes in music, crowds and noise. Words are judged in runs without a pause;
 * a run is dropped as a whole, so that a difficult word within clear speech stays.
 */
import { isMarker } from './clean-words.ts';
import { splitBetween, type Word } from '../words.ts';

/** Separates two runs. */
const PAUSE_MS = 700;
/** Whisper gives a mean of 0.2 and more to speech that it understands only in part; below this a run is guesswork. */
const MIN_CONFIDENCE = 0.1;
/** Letters a second: slow speech has 5, a long "goal" 1; the fastest talkers have 25. */
const SLOWEST = 1;
const FASTEST = 50;
/** Engines fill music with one repeated word. */
const MIN_VARIETY = 0.25;
const WINDOW_WORDS = 40;
/** Fewer words are too few to judge. */
const FEW_WORDS = 8;

/** Words and markers without a pause in between. */
type Run = readonly Word[];

/** The words of those runs that are speech, without markers. */
export function spokenWords(ordered: readonly Word[]): Word[] {
  return splitBetween(ordered, (last, next) => next.startMs - last.endMs >= PAUSE_MS)
    .filter((run) => !isSound(run))
    .flatMap((run) => run.filter((word) => !isMarker(word)));
}

/** Whether a run, markers included, is sound rather than speech. */
function isSound(run: Run): boolean {
  const words = run.filter((word) => !isMarker(word));
  const noise = run.filter((word) => isMarker(word) && !/^<.*>$/.test(word.text)).length;
  return (
    words.length === 0 || noise >= words.length || isUncertain(words) || isImpossiblePace(words) || isRepetitive(words)
  );
}

function isUncertain(words: Run): boolean {
  const known = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return known.length > 0 && known.reduce((sum, one) => sum + one, 0) / known.length < MIN_CONFIDENCE;
}

function isImpossiblePace(words: Run): boolean {
  const seconds = words.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1_000;
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  return letters < SLOWEST * seconds || (words.length >= 5 && letters > FASTEST * seconds);
}

/** Judged in short parts: an hour of speech without a pause also repeats most of its words. */
function isRepetitive(words: Run): boolean {
  if (words.length < FEW_WORDS) return false;
  for (let from = 0; from + FEW_WORDS <= words.length; from += WINDOW_WORDS) {
    const window = words.slice(from, from + WINDOW_WORDS).map(({ text }) => text.toLowerCase());
    if (new Set(window).size / window.length >= MIN_VARIETY) return false;
  }
  return true;
}
