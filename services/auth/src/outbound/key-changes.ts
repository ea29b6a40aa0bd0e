/**
 * What the staff changes about API keys. The text of a key exists only in what `issueKey` and `rotateKey` return; what
 * these verbs change holds from the next request on, as nothing is cached anywhere.
 */
import { AppError } from '@vds/chassis/errors';
import { describeLimits } from '../domain/audit.ts';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  RANDOM_SECRET_CHARACTERS,
  type ApiKey,
} from '../domain/api-key.ts';
import { checkLimits, checkScopes, DEFAULT_LIMITS, type GivenLimits } from '../domain/key-settings.ts';
import type { Change } from './audit.ts';
import type { Peppers } from './key-hash.ts';
import { findKey, stored, type KeyRow } from './keys.ts';
import type { Writer } from './prisma.ts';
import { findPublisher } from './publishers.ts';
import { randomBase62 } from './random-text.ts';

export type NewKey = {
  readonly row: KeyRow;
  /** The whole key, this one time. */
  readonly secretKey: string;
};

/**
 * Makes a key for a publisher; its id is also the id of its day budget.
 * NOT_FOUND for an unknown publisher, INVALID_ARGUMENT for scopes or limits.
 */
export function issueKey(
  peppers: Peppers,
  publisherId: string,
  scopes: readonly string[],
  limits: GivenLimits,
): Change<NewKey> {
  return async (tx) => {
    const settings = { scopes: [...checkScopes(scopes)], ...DEFAULT_LIMITS, ...checkLimits(limits) };
    await findPublisher(tx, publisherId);
    const key = newKey();
    const data = { ...stored(peppers, key), publisherId, budgetId: key.id, ...settings };
    const row = await tx.apiKey.create({ data });
    const became = `${row.scopes.join(' ')}, ${describeLimits(row)}`;
    return {
      value: { row, secretKey: formatApiKey(key) },
      entry: { action: 'key issue', publisherId, keyId: row.id, was: '', became },
    };
  };
}

function newKey(): ApiKey {
  return makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS));
}

/**
 * Replaces a key: revokes it and makes a new one with the same scopes, limits and day budget.
 * NOT_FOUND, or FAILED_PRECONDITION for a key that is revoked already.
 */
export function rotateKey(peppers: Peppers, id: string): Change<NewKey> {
  return async (tx) => {
    // A second rotation waits for the row's lock and then finds it revoked.
    const old = await lockKey(tx, id);
    if (old.revokedAt !== null)
      throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; issue a new key instead of rotating it`);
    await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    const { publisherId, scopes, minuteLimit, dailyLimit, budgetId } = old;
    const key = newKey();
    const data = { ...stored(peppers, key), publisherId, scopes, minuteLimit, dailyLimit, budgetId };
    const row = await tx.apiKey.create({ data });
    const words = { was: inForce(old), became: 'revoked, replaced by a new key' };
    return {
      value: { row, secretKey: formatApiKey(key) },
      entry: { action: 'key rotate', publisherId, keyId: id, newKeyId: row.id, ...words },
    };
  };
}

/** The key, locked until the transaction ends: what is written of a change is then what it was. */
async function lockKey(tx: Writer, id: string): Promise<KeyRow> {
  await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id} FOR UPDATE`;
  return findKey(tx, id);
}

function inForce({ revokedAt }: KeyRow): string {
  return revokedAt === null ? 'in force' : `revoked ${revokedAt.toISOString()}`;
}

/** Revokes a key, or leaves it as it was when it is revoked already. NOT_FOUND when there is none. */
export function revokeKey(id: string): Change<KeyRow> {
  return async (tx) => {
    const old = await lockKey(tx, id);
    const value =
      old.revokedAt === null ? await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } }) : old;
    const became = old.revokedAt === null ? 'revoked' : inForce(old);
    return {
      value,
      entry: { action: 'key revoke', publisherId: old.publisherId, keyId: id, was: inForce(old), became },
    };
  };
}

/**
 * Changes one limit or both.
 * NOT_FOUND, INVALID_ARGUMENT, or FAILED_PRECONDITION for a revoked key.
 */
export function setLimits(id: string, limits: GivenLimits): Change<KeyRow> {
  return async (tx) => {
    const data = checkLimits(limits);
    if (Object.keys(data).length === 0)
      throw new AppError('INVALID_ARGUMENT', 'give a minute limit, a daily limit, or both');
    const old = await lockKey(tx, id);
    if (old.revokedAt !== null)
      throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; its limits cannot be changed`);
    const value = await tx.apiKey.update({ where: { id }, data });
    const words = { was: describeLimits(old), became: describeLimits(value) };
    return { value, entry: { action: 'key limits', publisherId: old.publisherId, keyId: id, ...words } };
  };
}
