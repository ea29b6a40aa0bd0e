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
