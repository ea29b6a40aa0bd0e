/** Random text of the keys' alphabet. */
import { randomBytes } from 'node:crypto';
import { BASE62 } from '../domain/base62.ts';

// The largest multiple of 62 in a byte: what is above would make the first characters likelier.
const FAIR = 248;

/** `length` characters of 0-9A-Za-z, each equally likely (5.95 bits). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(2 * (length - text.length))) {
      if (byte < FAIR && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}
