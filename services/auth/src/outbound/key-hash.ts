/**
 * The stored form of a key's secret: HMAC-SHA256(pepper, salt ‖ secret). The salt is the key's own id: random, unique,
 * stored beside the hash, and it ties a hash to its row, so that one copied into another row opens nothing. It is known
 * before any look-up, which lets one statement check the secret and take the place.
 */
import { createHmac } from 'node:crypto';
import type { ApiKey } from '../domain/api-key.ts';

export type Pepper = { readonly id: string; readonly key: Buffer };
/** The first is used for new hashes; the second, where there is one, is on its way out. */
export type Peppers = readonly [current: Pepper, previous?: Pepper];

export type SecretHash = { readonly pepperId: string; readonly hash: Buffer };

/** What a stored hash may be: one for each pepper. With a single pepper both are the same, and the work is too. */
export function candidateHashes(
  [current, previous]: Peppers,
  key: ApiKey,
): readonly [current: SecretHash, previous: SecretHash] {
  return [hashSecret(current, key), hashSecret(previous ?? current, key)];
}

/** The hash of a key under one pepper. Id and secret have fixed lengths, so that joining them is unambiguous. */
export function hashSecret(pepper: Pepper, { id, secret }: ApiKey): SecretHash {
  return {
    pepperId: pepper.id,
    hash: createHmac('sha256', pepper.key).update(id).update(secret).digest(),
  };
}
