/** What the interface says of its text fields, told again without its code: which text a field takes. */

const most = { title: 200, summary: 2_000, tags: 50 } as const;
export type TextField = keyof typeof most;
export const textFields = Object.keys(most) as readonly TextField[];

/** Whether the interface must accept a text in a field; it then gives it back code point for code point. */
export function fits(field: TextField, text: string): boolean {
  if (text.includes('\u0000') || !text.isWellFormed() || [...text].length > most[field]) return false;
  return field !== 'title' || /\P{White_Space}/u.test(text);
}

/** The value of a field whose only text is this one. */
export function valueOf(field: TextField, text: string): string | string[] {
  return field === 'tags' ? [text] : text;
}
