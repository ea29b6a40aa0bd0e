/** Tags of languages (BCP 47, RFC 5646). */
const shape = /^[A-Za-z]{2,3}(?:-[0-9A-Za-z]{2,8}){0,5}$/;

/** Whether a tag is well formed: it can stand in a path and in a quoted string as it is. */
export function isLanguageTag(value: string): boolean {
  return shortestTag(value) !== undefined;
}

/** The shortest tag (RFC 5646 §4.5) of a well-formed one: containers write `eng`, players know `en`. */
export function shortestTag(value: string): string | undefined {
  if (!shape.test(value)) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    // RangeError: the right letters in an order that no tag has, such as `en-GB-US`.
    return undefined;
  }
}
