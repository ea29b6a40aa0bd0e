/** Names that a correction spells anew: later videos of the same publisher are heard with them. */
import type { TextCue } from '@vds/proto/documents/texts';
import { boundedNames, namesWithin } from './list-names.ts';
import { bare } from './name-words.ts';

/** What is replaced and what replaces it have at most so many words: more is a rewrite. */
const MAX_RUN = 5;
/** Of a cue; a longer one is no text for viewers. */
const MAX_WORDS = 60;

/**
 * Names of the corrected track that stand where other words stood before, in a cue with the same start.
 * @param language of both tracks
 * @returns as bounded as the list that they join (list-names.ts)
 */
export function fixedNames(before: readonly TextCue[], after: readonly TextCue[], language: string): string[] {
  const old = new Map(before.map(({ startMs, lines }) => [startMs, lines.join(' ')]));
  const found = after.flatMap(({ startMs, lines }, index) => {
    const [was, text] = [old.get(startMs), lines.join(' ')];
    if (was === undefined || was === text) return [];
    const replaced = new Set(replacedWords(wordsOf(was), wordsOf(text)));
    if (replaced.size === 0) return [];
    // What stands before tells whether a capital letter is that of a sentence.
    const context = after[index - 1]?.lines.join(' ') ?? '';
    const names = namesWithin(`${context} ${text}`, language);
    return names.filter((name) => name.split(' ').some((word) => replaced.has(word)));
  });
  return boundedNames(found);
}

function wordsOf(text: string): string[] {
  return text
    .split(/\s+/u)
    .map(bare)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

/** Words of `after` in short runs that replace other words; what is only added is none. */
function replacedWords(before: readonly string[], after: readonly string[]): string[] {
  const out: string[] = [];
  let [from, to] = [0, 0];
  for (const [at, next] of [...common(before, after), [before.length, after.length] as const]) {
    const [were, are] = [at - from, next - to];
    if (were > 0 && were <= MAX_RUN && are > 0 && are <= MAX_RUN) out.push(...after.slice(to, next));
    [from, to] = [at + 1, next + 1];
  }
  return out;
}

/** Places of a longest common subsequence. */
function common(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const lengths = new Map<number, number>();
  const place = (row: number, column: number): number => row * (MAX_WORDS + 1) + column;
  const length = (row: number, column: number): number => lengths.get(place(row, column)) ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = after.length - 1; column >= 0; column -= 1)
      lengths.set(
        place(row, column),
        before[row] === after[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1)),
      );
  const pairs: (readonly [number, number])[] = [];
  let [row, column] = [0, 0];
  while (length(row, column) > 0) {
    if (before[row] === after[column]) pairs.push([row++, column++]);
    else if (length(row + 1, column) >= length(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
