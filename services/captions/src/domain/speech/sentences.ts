/** Words → sentences: at the engine's punctuation, and where it provides none, at pauses, by length and by cue words. */
import { primarySubtag } from '../language-tag.ts';
import { writtenTogether } from '../layout/atoms.ts';
import { widthOf } from '../layout/graphemes.ts';
import { splitBetween, wordSet, type SpokenSentence, type Word } from '../words.ts';
import { orderedWords } from './clean-words.ts';
import { spokenWords } from './low-confidence.ts';
import { beginsLower, beginsUpper, endsClause, endsSentence, endsWithMark } from './sentence-ends.ts';

/** Ends a sentence where the engine provides no punctuation. */
const PAUSE_MS = 600;
/** Ends a sentence whatever the engine's punctuation: no speaker pauses that long within one. */
const LONG_PAUSE_MS = 3_000;
/** From this many words on, a small pause before a cue word ends an unpunctuated sentence. */
const LONG_WORDS = 10;
const BREATH_MS = 150;
/** No sentence is wider than so many columns: 36 words of English. */
const MAX_COLUMNS = 220;
/** Text of so many columns has a mark, even if only a comma, where an engine punctuates. */
const COLUMNS_A_MARK = 150;
/** A sentence that has less time than this until the next begins is joined to it: no cue could show it. */
const MIN_INTERVAL_MS = 1_100;

/** Words with which English speakers begin a new thought. */
const cueWords = wordSet('and but so now then well he she they we there this that what here it');

/** A part of the words, cut where a sentence ends or is too long. */
type Part = {
  readonly words: readonly Word[];
  /** Whether the engine did not punctuate it; then it gets a capital letter and a full stop. */
  readonly isPlain: boolean;
  /** Whether the next part belongs to the same sentence. */
  readonly continues: boolean;
};

/**
 * The sentences of a video, in order; none where there is no speech. Numbers stay as they were written.
 * @param recognized the engine's raw output, including markers, noise and words out of order
 * @param language the spoken language, BCP 47
 */
export function sentencesOf(recognized: readonly Word[], language: string): SpokenSentence[] {
  const words = spokenWords(orderedWords(recognized, language));
  const hasCapitals = words.some(beginsUpper);
  const groups = splitBetween(
    words,
    (word, next) =>
      next.turn === true ||
      endsSentence(word, next, language, hasCapitals) ||
      next.startMs - word.endMs >= LONG_PAUSE_MS,
  );
  const parts = groups.flatMap((group) => partsOf(group, hasCapitals));
  return joinCloseSentences(written(parts, language)).map((own) => ({
    text: textOfWords(own),
    startMs: startOf(own),
    endMs: own.at(-1)?.endMs ?? startOf(own),
    words: own,
  }));
}

/** An engine that usually punctuates may not do so for minutes. */
function partsOf(group: readonly Word[], hasCapitals: boolean): Part[] {
  const marks = group.filter(endsClause).length;
  const isPlain = columnsOf(group) > COLUMNS_A_MARK * marks && (!hasCapitals || columnsOf(group) > COLUMNS_A_MARK);
  if (isPlain)
    return splitBetween(group, endsByPause)
      .flatMap(cutToLength)
      .map((words) => ({ words, isPlain, continues: false }));
  const cut = cutToLength(group);
  return cut.map((words, index) => ({ words, isPlain, continues: index < cut.length - 1 }));
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
    const tight = before !== undefined && startOf(words) - startOf(before) < MIN_INTERVAL_MS;
    if (tight && columnsOf(before) + columnsOf(words) <= MAX_COLUMNS) before.push(...words);
    else out.push([...words]);
  }
  return out;
}

function cutToLength(words: readonly Word[]): Word[][] {
  const out: Word[][] = [];
  const rest = [...words];
  while (columnsOf(rest) > MAX_COLUMNS) out.push(rest.splice(0, cutAfter(rest)));
  return [...out, rest];
}

/**
 * After how many words a sentence that is too long is cut: at the longest pause in the second half of its permitted
 * length, and rather after a comma.
 */
function cutAfter(words: readonly Word[]): number {
  let [at, best, columns] = [1, -1, 0];
  for (const [index, word] of words.entries()) {
    columns += columnsOf([word]);
    const next = words[index + 1];
    if (columns > MAX_COLUMNS || next === undefined) break;
    const pause = next.startMs - word.endMs + (endsClause(word) ? PAUSE_MS : 0);
    if (columns < MAX_COLUMNS / 2 || pause <= best) continue;
    [at, best] = [index + 1, pause];
  }
  return at;
}

function columnsOf(words: readonly Word[]): number {
  return words.reduce((sum, { text }) => sum + widthOf(text) + (writtenTogether(text, text) ? 0 : 1), 0);
}

/**
 * Adds the capital letters and full stops that the engine left out: all of a part without punctuation, else those of a
 * sentence that begins after a full stop, and of one before a capital letter.
 */
function written(parts: readonly Part[], language: string): Word[][] {
  const out: Word[][] = [];
  for (const [index, { words, isPlain, continues }] of parts.entries()) {
    const before = out.at(-1)?.at(-1);
    const next = parts[index + 1];
    const follows = next?.words[0];
    const begins = before === undefined || endsWithMark(before);
    const ends = isPlain || (!continues && (follows === undefined || next?.isPlain === true || beginsUpper(follows)));
    const own = words.map((word) => (isPlain && primarySubtag(language) === 'en' ? englishI(word) : word));
    const [head, last] = [own[0], own.at(-1)];
    if (head && (isPlain || begins) && beginsLower(head)) own[0] = { ...head, text: capital(head.text) };
    const tail = own.at(-1);
    if (tail && last && ends && !endsClause(last))
      own[own.length - 1] = { ...tail, text: tail.text + fullStop(language) };
    out.push(own);
  }
  return out;
}

function englishI(word: Word): Word {
  return { ...word, text: word.text.replace(/^i(?=$|['’])/, 'I') };
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
