/**
 * The stored form of a key's secret: HMAC-SHA256(pepper, salt ‖ secret). The salt is the key's own id: random, unique,
 * stored next to the hash. It ties the hash to its row: copied into another row, it matches no secret. It is known
 * before the lookup, so one statement can check the secret and count the request.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import type { ApiKey } from '../domain/api-key.ts';

/** An imported key: to import its bytes takes five times as long as a hash. */
export type Pepper = { readonly id: string; readonly key: KeyObject };
/** The first is used for new hashes; the second, if any, is being phased out. */
export type Peppers = readonly [current: Pepper, previous?: Pepper];

export type SecretHash = { readonly pepperId: string; readonly hash: Buffer };

/** Every possible stored hash, one per pepper. With a single pepper both are the same, so the work does not differ. */
export function candidateHashes(
  [current, previous]: Peppers,
  key: ApiKey,
): readonly [current: SecretHash, previous: SecretHash] {
  return [hashSecret(current, key), hashSecret(previous ?? current, key)];
}

/** The hash of a key under one pepper. Id and secret have fixed lengths, so their concatenation is unambiguous. */
export function hashSecret(pepper: Pepper, { id, secret }: ApiKey): SecretHash {
  return { pepperId: pepper.id, hash: createHmac('sha256', pepper.key).update(id).update(secret).digest() };
}
