/** Markup of caption formats: whatever a file holds, nothing of it is shown as anything but text. */

/** Characters of a line with its markup, which is removed level by level. */
export const MAX_MARKED_LINE = 2_000;
/** Tags of SubRip and WebVTT, and overrides of ASS. */
const markup = /<\/?(?:[a-z]|\d\d:)[^<>]*>|\{\\[^{}]*\}/gi;

/**
 * A line without its markup, also without what is left once markup within it is gone.
 * @param line of which at most `MAX_MARKED_LINE` characters are read
 */
export function withoutMarkup(line: string): string {
  let [before, plain] = ['', line.slice(0, MAX_MARKED_LINE)];
  while (plain !== before) [before, plain] = [plain, plain.replaceAll(markup, '')];
  return plain;
}
