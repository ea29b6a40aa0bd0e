/** Rules of text that a JSON schema cannot say (design §5). Nothing is trimmed or normalised. */

/** The sentence about a text that cannot be kept code point for code point, or undefined. */
export const refusalOfText = (field: string, text: string): string | undefined => {
  if (text.includes('\u0000')) return `${field} must not contain the character U+0000`;
  if (!text.isWellFormed()) return `${field} must not contain half of a surrogate pair`;
  return undefined;
};

/** True when nothing of the text can be seen: empty, or Unicode White_Space alone. */
export const isBlank = (text: string): boolean => !/\P{White_Space}/u.test(text);
