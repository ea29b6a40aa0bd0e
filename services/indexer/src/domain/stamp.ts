/**
 * A sentence is kept in the index with its second written before it, in drawing characters that no tokenizer takes for
 * a word: whatever finds the sentence finds its second with it.
 */

/** U+2500 to U+2509 for the digits, U+253C between the numbers, U+2502 at the end. */
const zero = 0x25_00;
const between = '\u253C';
const end = '\u2502';

export type Stamped = { readonly track: number; readonly atMs: number; readonly text: string };

const form = /^([\u2500-\u2509]+)\u253C([\u2500-\u2509]+)\u2502/;

/**
 * @param track place of the sentence's language in the document's `caption_languages`; 0 for text on screen
 * @param atMs a whole number, not below 0
 */
export function stamp({ track, atMs, text }: Stamped): string {
  return `${digits(track)}${between}${digits(atMs)}${end}${text}`;
}

function digits(number: number): string {
  return [...String(number)].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');
}

/** Reads back what `stamp` wrote; undefined for a text without a stamp. */
export function unstamp(value: string): Stamped | undefined {
  const match = form.exec(value);
  if (!match) return undefined;
  const [whole, track = '', atMs = ''] = match;
  return { track: numberOf(track), atMs: numberOf(atMs), text: value.slice(whole.length) };
}

function numberOf(text: string): number {
  return Number([...text].map((digit) => (digit.codePointAt(0) ?? zero) - zero).join(''));
}
