/** What an engine gets of a text, and what is kept of its vector. */

/** Characters, as of more than a minute of speech; the engine takes 0.3 s for 900 of English, 1 s for 1200 of Japanese. */
const MAX_TEXT = 1_200;

/**
 * The text without what engines fail on: characters of one code point that become many (NFKC), control characters, lone
 * surrogates, and more than they read.
 */
export function cleanText(text: string): string {
  const cut = text
    .slice(0, 2 * MAX_TEXT)
    .toWellFormed()
    .normalize('NFKC')
    .slice(0, MAX_TEXT)
    .toWellFormed();
  const clean = cut.replaceAll(/[\p{Cc}\uFFFD\s]+/gu, ' ').trim();
  // Servers reject an empty text.
  return clean === '' ? '-' : clean;
}

/** E5 models were trained with the kind before the text (its model card); others get the text alone. */
export function withPrefix(model: string, kind: 'query' | 'passage', text: string): string {
  return /\be5\b/i.test(model) ? `${kind}: ${text}` : text;
}

/** The vector at unit length × 127, rounded; undefined for one without a direction. */
export function quantize(values: readonly number[]): Int8Array | undefined {
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0) return undefined;
  return Int8Array.from(values, (value) => Math.round((127 * value) / length));
}
