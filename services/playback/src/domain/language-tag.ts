/** Language tags (BCP 47, RFC 5646). */
const shape = /^[A-Za-z]{2,3}(?:-[0-9A-Za-z]{2,8}){0,5}$/;

/** Whether a tag is well formed, and so needs no escaping in a path or a quoted string. */
export function isLanguageTag(value: string): boolean {
  return shortestTag(value) !== undefined;
}

/** The canonical form (RFC 5646 §4.5) of a well-formed tag: containers have `eng`, players expect `en`. */
export function shortestTag(value: string): string | undefined {
  if (!shape.test(value)) return undefined;
  try {
    return Intl.getCanonicalLocales(value)[0];
  } catch {
    // RangeError: valid subtags in an invalid order, such as `en-GB-US`.
    return undefined;
  }
}
