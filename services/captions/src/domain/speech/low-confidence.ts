/**
 * Separates speech from what an engine recognizes in music, crowds and noise. Words are judged in runs without a pause;
 * a run is dropped as a whole, so that a difficult word within clear speech stays.
 */
import { isMarker } from './clean-words.ts';
import type { Word } from '../words.ts';

/** Separates two runs. */
const PAUSE_MS = 700;
/** pocketsphinx gave a mean of 0.19 to a run that it recognized mostly right; below this a run is guesswork. */
const LEAST_CONFIDENCE = 0.1;
/** Letters a second: slow speech has 5, a long "goal" 1; the fastest talkers have 25. */
const SLOWEST = 1;
const FASTEST = 50;
/** Engines fill music with one repeated word. */
const LEAST_VARIETY = 0.25;
const STRETCH_WORDS = 40;
/** Fewer words are too few to judge. */
const FEW_WORDS = 8;

/** Words that pocketsphinx recognizes in a hum or a click. Alone between pauses they are dropped, even if spoken. */
const small = new Set('a an and are do for he her i in is it of or so that the to uh um we you'.split(' '));

/** Words and markers without a pause in between. */
type Run = readonly Word[];

/** The words of those runs that are speech, without markers. */
export function spokenWords(ordered: readonly Word[]): Word[] {
  return runsOf(ordered)
    .filter((run) => !isSound(run))
    .flatMap((run) => run.filter((word) => !isMarker(word)));
}

export function runsOf(words: readonly Word[], pauseMs = PAUSE_MS): Word[][] {
  const out: Word[][] = [];
  for (const word of words) {
    const last = out.at(-1)?.at(-1);
    if (last === undefined || word.startMs - last.endMs >= pauseMs) out.push([word]);
    else out.at(-1)?.push(word);
  }
  return out;
}

/** Whether a run, markers included, is sound rather than speech. */
function isSound(run: Run): boolean {
  const words = run.filter((word) => !isMarker(word));
  const noise = run.filter((word) => isMarker(word) && !/^<.*>$/.test(word.text)).length;
  return (
    words.length === 0 ||
    noise >= words.length ||
    unsure(words) ||
    impossibleRate(words) ||
    repeating(words) ||
    onlySmall(words)
  );
}

function unsure(words: Run): boolean {
  const told = words.flatMap(({ confidence }) => (confidence === null ? [] : [confidence]));
  return told.length > 0 && told.reduce((sum, one) => sum + one, 0) / told.length < LEAST_CONFIDENCE;
}

function impossibleRate(words: Run): boolean {
  const seconds = words.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) / 1_000;
  const count = letters(words);
  return count < SLOWEST * seconds || (words.length >= 5 && count > FASTEST * seconds);
}

function letters(words: Run): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/** Judged in short parts: an hour of speech without a pause also repeats most of its words. */
function repeating(words: Run): boolean {
  if (words.length < FEW_WORDS) return false;
  for (let from = 0; from + FEW_WORDS <= words.length; from += STRETCH_WORDS)
    if (!isMonotonous(words.slice(from, from + STRETCH_WORDS))) return false;
  return true;
}

function isMonotonous(words: Run): boolean {
  return new Set(words.map(({ text }) => text.toLowerCase())).size / words.length < LEAST_VARIETY;
}

function onlySmall(words: Run): boolean {
  return words.length <= 3 && words.every(({ text }) => small.has(text));
}
