/** The Unicode form in which texts are indexed and searched, and the way back to the text as it was given. */

export type Mark = { readonly start: number; readonly end: number };
export type MarkedText = { readonly text: string; readonly marks: readonly Mark[] };

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * NFKC without soft hyphens and byte order marks, so that composed and decomposed, full-width and half-width texts are
 * the same. An underscore divides words, which it does for no tokenizer (UAX #29, ExtendNumLet). The vowel AM of Thai
 * and Lao, which NFKC decomposes, is composed again, as in dictionaries.
 */
export function normalizeText(text: string): string {
  return text
    .replaceAll(/[\u00AD\uFEFF]/g, '')
    .normalize('NFKC')
    .replaceAll(/\p{Pc}/gu, ' ')
    .replaceAll(/([\u0E48-\u0E4B]?)\u0E4D([\u0E48-\u0E4B]?)\u0E32/g, '$1$2\u0E33')
    .replaceAll(/([\u0EC8-\u0ECB]?)\u0ECD([\u0EC8-\u0ECB]?)\u0EB2/g, '$1$2\u0EB3');
}

/** A normalized text as it was given, with its marks (in code points); the normalized one if not in `originals`. */
export function restoreText({ text, marks }: MarkedText, originals: readonly string[]): MarkedText {
  const original = originals.find((one) => normalizeText(one) === text);
  if (original === undefined || original === text) return { text, marks };
  const chunks = align(original, text);
  return {
    text: original,
    marks: marks.flatMap(({ start, end }) => {
      const inside = chunks.filter((chunk) => chunk.normalized.end > start && chunk.normalized.start < end);
      const [first, last] = [inside[0], inside.at(-1)];
      return first && last ? [{ start: first.given.start, end: last.given.end }] : [];
    }),
  };
}

/** Which code points of a text became which of the normalized one: the shortest pieces that can be normalized by themselves. */
function align(original: string, normalized: string): { readonly given: Mark; readonly normalized: Mark }[] {
  const chunks: { given: Mark; normalized: Mark }[] = [];
  let rest = normalized;
  let pending = '';
  let [given, found] = [0, 0];
  for (const { segment } of graphemes.segment(original)) {
    pending += segment;
    const piece = normalizeText(pending);
    if (!rest.startsWith(piece)) continue;
    const next = { given: given + [...pending].length, found: found + [...piece].length };
    chunks.push({ given: { start: given, end: next.given }, normalized: { start: found, end: next.found } });
    ({ given, found } = next);
    rest = rest.slice(piece.length);
    pending = '';
  }
  return chunks;
}
