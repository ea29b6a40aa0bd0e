/** Normalises untrusted text from an engine before it is used. */

/** C0 and C1 controls, and characters that change the text direction (embeddings, overrides, isolates). */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is removed
const unwanted = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g;
/** Every kind of white space and line break, U+0085, U+2028 and U+2029 among them. */
const spaces = /[\s\u0085]+/g;

/** One line of a sentence for a translation engine: no line break of any kind, no control characters. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** One line: no control characters, no lone surrogates, single spaces, none at the ends. Letters stay unchanged. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(unwanted, '').replaceAll(spaces, ' ').trim();
}
