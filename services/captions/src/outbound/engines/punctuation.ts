/** Restores what some servers strip from their words but keep in the full text: full stops, commas, capitals. */
import type { Word } from '../../domain/words.ts';

/** How many words of the text may be missing among the words before the search for a word ends. */
const SEARCH_WORDS = 4;

/** Words as the text writes them, where both agree on the letters; the others stay as they are. */
export function withPunctuation(words: readonly Word[], text: string): Word[] {
  const written = text.split(/\s+/u).filter((token) => token !== '');
  const letters = written.map(bare);
  let at = 0;
  return words.map((word) => {
    const wanted = bare(word.text);
    if (wanted === '') return word;
    const found = letters.slice(at, at + SEARCH_WORDS).indexOf(wanted);
    if (found < 0) return word;
    const token = written[at + found];
    at += found + 1;
    return token === undefined ? word : { ...word, text: token };
  });
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
