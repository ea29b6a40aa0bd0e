/**
 * Timestamps of sentences, encoded inside the indexed text in box-drawing characters, which no tokenizer treats as a
 * word.
 *
 * Why not plainer: OpenSearch's highlighter returns the matching values of a multi-valued field without their
 * positions, so that a parallel array of times cannot be aligned with them (a sentence may occur many times); and
 * nested documents would make 19 tracks of a long video a hundred thousand Lucene documents, each scored alone, so that
 * the words of a query could no longer match in different sentences. With the time inside the value, the match and its
 * time arrive together.
 */

/** U+2500 to U+2509 for the digits, U+253C between the numbers, U+2502 at the end. */
const ZERO = 0x25_00;
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
  return [...String(number)].map((digit) => String.fromCodePoint(ZERO + Number(digit))).join('');
}

/** Reads back what `stamp` wrote; undefined for a text without a stamp. */
export function decodeTimestamp(value: string): Stamped | undefined {
  const match = form.exec(value);
  if (!match) return undefined;
  const [whole, track = '', atMs = ''] = match;
  return { track: numberOf(track), atMs: numberOf(atMs), text: value.slice(whole.length) };
}

function numberOf(text: string): number {
  return Number([...text].map((digit) => (digit.codePointAt(0) ?? ZERO) - ZERO).join(''));
}
