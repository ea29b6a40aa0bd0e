/** Words → sentences: at the engine's punctuation where it provides any, else at pauses, by length and by cue words. */
import { primarySubtag } from '../language-tag.ts';
import { writtenTogether } from '../layout/atoms.ts';
import { splitBetween, wordSet, type SpokenSentence, type Word } from '../words.ts';
import { orderedWords } from './clean-words.ts';
import { spokenWords } from './low-confidence.ts';

/** Ends a sentence where the engine provides no punctuation. */
const PAUSE_MS = 600;
/** Ends a sentence whatever the engine's punctuation: no speaker pauses that long within one. */
const LONG_PAUSE_MS = 3_000;
/** From this many words on, a small pause before a cue word ends an unpunctuated sentence. */
const LONG_WORDS = 10;
const BREATH_MS = 150;
/** No sentence is longer than this many words. */
const MOST_WORDS = 36;
/** A sentence that has less time than this until the next begins is joined to it: no cue could show it. */
const LEAST_INTERVAL_MS = 1_100;

/** Words with which English speakers begin a new thought. */
const cueWords = wordSet('and but so now then well he she they we there this that what here it');
const terminal = /[.!?…。！？؟।]["'”’»)\]]*$/u;
/** "Mr.", "J.", "vs.": a full stop that ends no sentence. */
const abbreviation = /^(\p{L}|mr|mrs|ms|dr|st|jr|sr|vs|no|prof)\.$/iu;

/**
 * The sentences of a video, in order; none where there is no speech. Numbers stay as they were spoken.
 * @param recognized the engine's raw output, including markers, noise and words out of order
 * @param language the spoken language, BCP 47
 */
export function sentencesOf(recognized: readonly Word[], language: string): SpokenSentence[] {
  const words = spokenWords(orderedWords(recognized));
  const punctuated = isPunctuated(words);
  const sentences = splitBetween(words, punctuated ? endsByPunctuation : endsByPause).flatMap(cutToLength);
  return joinCloseSentences(sentences).map((own) => {
    const shown = punctuated ? own : written(own, language);
    return {
      text: textOfWords(shown),
      startMs: startOf(shown),
      endMs: shown.at(-1)?.endMs ?? startOf(shown),
      words: shown,
    };
  });
}

/** An engine that punctuates ends a sentence at least once in a minute's words. */
function isPunctuated(words: readonly Word[]): boolean {
  return words.filter(ends).length >= Math.max(1, words.length / 150);
}

function ends({ text }: Word): boolean {
  return terminal.test(text) && !abbreviation.test(text);
}

function endsByPunctuation(word: Word, next: Word): boolean {
  return ends(word) || next.startMs - word.endMs >= LONG_PAUSE_MS;
}

function endsByPause(word: Word, next: Word, sentence: readonly Word[]): boolean {
  const pause = next.startMs - word.endMs;
  const begins = sentence.length >= LONG_WORDS && pause >= BREATH_MS && cueWords.has(next.text.toLowerCase());
  return pause >= PAUSE_MS || begins;
}

/** Joins a sentence that follows too soon to its predecessor. */
function joinCloseSentences(sentences: readonly Word[][]): Word[][] {
  const out: Word[][] = [];
  for (const words of sentences) {
    const before = out.at(-1);
    const tight = before !== undefined && startOf(words) - startOf(before) < LEAST_INTERVAL_MS;
    if (tight && before.length + words.length <= MOST_WORDS) before.push(...words);
    else out.push([...words]);
  }
  return out;
}

function cutToLength(words: readonly Word[]): Word[][] {
  const out: Word[][] = [];
  let from = 0;
  while (words.length - from > MOST_WORDS) {
    const at = cutAfter(words, from);
    out.push(words.slice(from, at));
    from = at;
  }
  return [...out, words.slice(from)];
}

/** Where a sentence that is too long is cut: at the longest pause in the second half of its permitted length. */
function cutAfter(words: readonly Word[], from: number): number {
  let [at, longest] = [from + MOST_WORDS, -1];
  for (let index = from + MOST_WORDS / 2; index <= from + MOST_WORDS; index += 1) {
    const pause = (words[index]?.startMs ?? 0) - (words[index - 1]?.endMs ?? 0);
    if (pause > longest) [at, longest] = [index, pause];
  }
  return at;
}

/** Adds a capital letter and a full stop to unpunctuated words. */
function written(words: readonly Word[], language: string): Word[] {
  return words.map((word, index) => {
    const english = primarySubtag(language) === 'en' ? englishI(word.text) : word.text;
    const text = index === 0 ? capital(english) : english;
    return { ...word, text: index === words.length - 1 && !terminal.test(text) ? text + fullStop(language) : text };
  });
}

function englishI(text: string): string {
  return text.replace(/^i(?=$|['’])/, 'I');
}

function capital(text: string): string {
  return text.replace(/^\P{L}*\p{L}/u, (head) => head.toUpperCase());
}

function fullStop(language: string): string {
  const primary = primarySubtag(language);
  if (primary === 'ja' || primary === 'zh') return '。';
  if (primary === 'hi') return '।';
  return primary === 'th' ? '' : '.';
}

function textOfWords(words: readonly Word[]): string {
  return words.reduce(
    (text, word, index) =>
      text + (index === 0 || writtenTogether(words[index - 1]?.text ?? '', word.text) ? '' : ' ') + word.text,
    '',
  );
}

function startOf(words: readonly Word[]): number {
  return words[0]?.startMs ?? 0;
}
