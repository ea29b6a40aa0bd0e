/** Keys with a valid form and checksum that authenticate nothing, so that only the database can reject them. */
import { formatApiKey, makeApiKey, parseApiKey } from '../src/domain/api-key.ts';
import { randomBase62 } from '../src/outbound/random-base62.ts';

/** The id of a key, with another secret. */
export function keyWithWrongSecret(key: string): string {
  return formatApiKey(makeApiKey(keyIdOf(key), randomBase62(26)));
}

export function keyIdOf(key: string): string {
  return parseApiKey(key)?.id ?? '';
}

export function unknownKey(): string {
  return formatApiKey(makeApiKey(randomBase62(24), randomBase62(26)));
}
