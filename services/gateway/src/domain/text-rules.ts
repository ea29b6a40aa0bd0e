/** The rule of text that no JSON schema can say (design §5). Nothing is trimmed or normalised. */

/** The sentence about a text that cannot be kept code point for code point, or undefined. */
export function textError(field: string, text: string): string | undefined {
  return text.isWellFormed() ? undefined : `${field} must not contain half of a surrogate pair`;
}
