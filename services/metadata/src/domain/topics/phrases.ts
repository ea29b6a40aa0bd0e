/**
 * Key phrases: runs of words between stop words and marks, as in RAKE (Rose et al., 2010), weighted by where and how
 * often they occur.
 */
import type { Evidence, Topic, Where } from '../model.ts';
import { quote, weights, type Piece } from './places.ts';

const MAX_WORDS = 3;
const MAX_EVIDENCE = 5;
/** The most words of a place that count; hours of transcript have enough. */
const MAX_PIECES = 20_000;

type Entry = {
  readonly words: number;
  /** How often it occurs in each place. */
  readonly counts: Map<Where, number>;
  readonly evidence: Evidence[];
};

type Ranked = { readonly name: string; readonly entry: Entry; readonly score: number };

/**
 * Topics, best first; scores from 0 to 1, of which the best one's depends on its support.
 * @param language of the words, BCP 47
 * @param most topics at most
 */
export function findTopics(
  pieces: readonly Piece[],
  language: string,
  stopWords: ReadonlySet<string>,
  most: number,
): Topic[] {
  const ranked = [...collect(pieces, language, stopWords)]
    .filter(([, entry]) => isWorth(entry))
    .map(([name, entry]) => ({ name, entry, score: scoreOf(entry) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return distinct(ranked.slice(0, 2_000), most).map(({ name, entry, score }) => ({
    name,
    score: Number((1 - Math.exp(-score / 8)).toFixed(3)),
    evidence: entry.evidence,
  }));
}

/**
 * Topics in the spoken language with those in English, best first: videos of one event share the English ones, whatever
 * is spoken in them.
 * @param most topics at most, of which all English ones
 */
export function mergeTopics(spoken: readonly Topic[], english: readonly Topic[], most: number): Topic[] {
  const shared = english.filter(({ name }) => !spoken.some((topic) => topic.name === name));
  return [...spoken.slice(0, most - shared.length), ...shared].sort((a, b) => b.score - a.score);
}

function collect(pieces: readonly Piece[], language: string, stopWords: ReadonlySet<string>): Map<string, Entry> {
  const segmenter = new Intl.Segmenter(language, { granularity: 'word' });
  const entries = new Map<string, Entry>();
  for (const { where, text, atMs } of pieces.slice(0, MAX_PIECES)) {
    const names = runsOf(text, segmenter, stopWords).flatMap(namesOf);
    for (const name of names) {
      const known = entries.get(name);
      const entry = known ?? { words: name.split(' ').length, counts: new Map<Where, number>(), evidence: [] };
      if (!known) entries.set(name, entry);
      entry.counts.set(where, (entry.counts.get(where) ?? 0) + 1);
      const quoted = { where, text: quote(text), ...(atMs !== undefined && { atMs }) };
      const last = entry.evidence.at(-1);
      if (entry.evidence.length < MAX_EVIDENCE && !(last && last.where === where && last.atMs === quoted.atMs))
        entry.evidence.push(quoted);
    }
  }
  return entries;
}

/** French, Italian and Catalan articles and others that are written together with the word after them: "l'équipe". */
const elided = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|dall|all|nell|sull|un)['’](?=\p{L}{2})/u;
const eliding = new Set(['fr', 'it', 'ca', 'oc']);

/** Runs of meaningful words, in the order of the text. */
function runsOf(text: string, segmenter: Intl.Segmenter, stopWords: ReadonlySet<string>): string[][] {
  const runs: string[][] = [[]];
  const hasElisions = eliding.has(segmenter.resolvedOptions().locale.slice(0, 2));
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const word = hasElisions ? segment.toLowerCase().replace(elided, '') : segment.toLowerCase();
    if (isWordLike === true && !stopWords.has(word)) runs.at(-1)?.push(word);
    else if (isWordLike === true || !/^[ \u00a0]+$/.test(segment)) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** Every sequence of up to three words of a run that may be a topic's name. */
function namesOf(run: readonly string[]): string[] {
  return run.flatMap((first, from) => {
    if (isNumber(first) || !isLongEnough(first)) return [];
    return run.slice(from, from + MAX_WORDS).flatMap((last, more) => {
      const words = run.slice(from, from + more + 1);
      return isNumber(last) || !isLongEnough(last) || words.join('').length > 60 ? [] : [words.join(' ')];
    });
  });
}

function isNumber(word: string): boolean {
  return !/\p{L}/u.test(word);
}

/** In scripts that are written without spaces each letter carries more meaning. */
function isLongEnough(word: string): boolean {
  return (
    [...word].length >=
    (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word) ? 2 : 3)
  );
}

/** A single word that occurs only once, in the transcript, is not a topic. */
function isWorth({ words, counts }: Entry): boolean {
  const occurrences = [...counts].reduce((sum, [, count]) => sum + count, 0);
  return occurrences > 1 || (counts.has('transcript') ? words > 1 : true);
}

/** More words mean more; each repetition counts less. */
function scoreOf({ words, counts }: Entry): number {
  const places = [...counts].reduce((sum, [where, count]) => sum + weights[where] * Math.log2(1 + count), 0);
  return places * (1 + 0.5 * (words - 1)) * (1 + 0.25 * (counts.size - 1));
}

/** Leaves out parts of a better phrase, and phrases that only add a rare word to one. */
function distinct(ranked: readonly Ranked[], most: number): Ranked[] {
  const kept: Ranked[] = [];
  for (const one of ranked) {
    if (kept.length === most) break;
    const adds = (other: Ranked): boolean => contains(one.name, other.name) && one.score < 0.5 * other.score;
    if (!kept.some((other) => contains(other.name, one.name) || adds(other))) kept.push(one);
  }
  return kept;
}

function contains(longer: string, shorter: string): boolean {
  return ` ${longer} `.includes(` ${shorter} `);
}
