/**
 * Text of a partner's file as one line: no control characters, line breaks or lone surrogates, single spaces.
 * @param most code points that are kept
 */
export function plainLine(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return [...line].slice(0, most).join('').trim();
}
