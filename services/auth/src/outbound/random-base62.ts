/** Random text in the alphabet of API keys. */
import { randomInt } from 'node:crypto';
import { BASE62 } from '../domain/api-key.ts';

/** `length` characters of 0-9A-Za-z, each equally likely (5.95 bits). */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
