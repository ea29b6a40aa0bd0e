/** Idempotency keys: opt-in, so that a POST whose answer was lost can be repeated without a second video. */
import { invalidField } from './invalid-field.ts';

/**
 * The key of a request; '' for none.
 * @param values of its header
 * @throws INVALID_ARGUMENT
 */
export function readIdempotencyKey(values: readonly string[]): string {
  const [value, ...more] = values;
  if (value === undefined) return '';
  if (more.length === 0 && /^[!-~]([ -~]{0,253}[!-~])?$/.test(value)) return value;
  throw invalidField('Idempotency-Key', 'must be one header of 1 to 255 printable ASCII characters');
}

/**
 * A value as canonical text, so that bodies are compared as parsed JSON: white space, escapes and the order of members do
 * not count, everything else does. Without recursion: a body may consist of brackets only.
 * @param value of JSON.parse
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = [];
  // Lists and objects begin with their length or names, so that texts of different values differ.
  for (const open = [value]; open.length > 0;) {
    const next = open.pop();
    if (Array.isArray(next)) {
      parts.push(`[${next.length}`);
      for (const item of next.toReversed() as unknown[]) open.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const members = Object.entries(next).toSorted(([a], [b]) => (a < b ? 1 : -1));
      parts.push(`{${JSON.stringify(members.map(([name]) => name))}`);
      for (const [, member] of members) open.push(member);
    } else parts.push(typeof next === 'number' ? String(next) : JSON.stringify(next));
  }
  return parts.join(',');
}
