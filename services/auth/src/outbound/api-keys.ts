/**
 * API keys in the database, and the changes that the operator's staff makes to them. The text of a key exists only in
 * what `issueKey` and `rotateKey` return. Changes apply from the next request on: keys are cached nowhere.
 */
import { AppError, notFound } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { ApiKey as KeyRow } from '#prisma';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  RANDOM_SECRET_CHARACTERS,
  type ApiKey,
} from '../domain/api-key.ts';
import {
  checkLimits,
  checkScopes,
  DEFAULT_LIMITS,
  describeLimits,
  type OptionalLimits,
} from '../domain/key-settings.ts';
import type { Change } from './audit.ts';
import { hashSecret, type Peppers } from './key-hash.ts';
import type { PrismaClient, Transaction } from './prisma.ts';
import { findPublisher } from './publishers.ts';
import { randomBase62 } from './random-base62.ts';

export type { ApiKey as KeyRow } from '#prisma';
export type KeyStore = { readonly prisma: PrismaClient; readonly peppers: Peppers };
export type NewKey = {
  readonly row: KeyRow;
  /** The whole key; it cannot be read again. */
  readonly secretKey: string;
};
type KeySettings = Pick<KeyRow, 'publisherId' | 'scopes' | 'minuteLimit' | 'dailyLimit'>;

/**
 * Issues a key to a publisher; its id is also the id of its day budget.
 * NOT_FOUND for an unknown publisher, INVALID_ARGUMENT for scopes or limits.
 */
export function issueKey(
  peppers: Peppers,
  publisherId: string,
  scopes: readonly string[],
  limits: OptionalLimits,
): Change<NewKey> {
  return async (tx) => {
    const settings = { scopes: [...checkScopes(scopes)], ...DEFAULT_LIMITS, ...checkLimits(limits) };
    await findPublisher(tx, publisherId);
    const value = await createKey(tx, peppers, { publisherId, ...settings });
    const { id: keyId } = value.row;
    const became = `${value.row.scopes.join(' ')}, ${describeLimits(value.row)}`;
    return { value, entry: { action: 'key issue', publisherId, keyId, was: '', became } };
  };
}

async function createKey(
  tx: Transaction,
  peppers: Peppers,
  settings: KeySettings & { readonly budgetId?: string },
): Promise<NewKey> {
  const key = makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS));
  const row = await tx.apiKey.create({ data: { budgetId: key.id, ...settings, ...storedHash(peppers, key) } });
  return { row, secretKey: formatApiKey(key) };
}

function storedHash(peppers: Peppers, key: ApiKey) {
  const { pepperId, hash } = hashSecret(peppers[0], key);
  return { id: key.id, pepperId, secretHash: new Uint8Array(hash) };
}

/**
 * Replaces a key: revokes it and issues a new one with the same scopes, limits and day budget.
 * NOT_FOUND, or FAILED_PRECONDITION for a key that is already revoked.
 */
export function rotateKey(peppers: Peppers, id: string): Change<NewKey> {
  return async (tx) => {
    // A concurrent rotation waits for the row lock and then finds the key revoked.
    const old = await lockKeyInForce(tx, id, 'issue a new key instead of rotating it');
    await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    await failpoint('auth.key-revoked');
    const { publisherId, scopes, minuteLimit, dailyLimit, budgetId } = old;
    const value = await createKey(tx, peppers, { publisherId, scopes, minuteLimit, dailyLimit, budgetId });
    const states = { was: describeState(old), became: 'revoked, replaced by a new key' };
    return { value, entry: { action: 'key rotate', publisherId, keyId: id, newKeyId: value.row.id, ...states } };
  };
}

async function lockKeyInForce(tx: Transaction, id: string, hint: string): Promise<KeyRow> {
  const row = await lockKey(tx, id);
  if (row.revokedAt !== null) throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; ${hint}`);
  return row;
}

/** The key, locked until the transaction ends, so that the audit records the state that the change replaces. */
async function lockKey(tx: Transaction, id: string): Promise<KeyRow> {
  await tx.$queryRaw`SELECT 1 FROM api_keys WHERE id = ${id} FOR UPDATE`;
  return findKey(tx, id);
}

function describeState({ revokedAt }: KeyRow): string {
  return revokedAt === null ? 'in force' : `revoked ${revokedAt.toISOString()}`;
}

/** Revokes a key; one that is already revoked stays as it is. NOT_FOUND when there is none. */
export function revokeKey(id: string): Change<KeyRow> {
  return async (tx) => {
    const old = await lockKey(tx, id);
    const isInForce = old.revokedAt === null;
    const value = isInForce ? await tx.apiKey.update({ where: { id }, data: { revokedAt: new Date() } }) : old;
    const states = { was: describeState(old), became: isInForce ? 'revoked' : describeState(old) };
    return { value, entry: { action: 'key revoke', publisherId: old.publisherId, keyId: id, ...states } };
  };
}

/**
 * Changes one limit or both.
 * NOT_FOUND, INVALID_ARGUMENT, or FAILED_PRECONDITION for a revoked key.
 */
export function setLimits(id: string, limits: OptionalLimits): Change<KeyRow> {
  return async (tx) => {
    const data = checkLimits(limits);
    if (Object.keys(data).length === 0)
      throw new AppError('INVALID_ARGUMENT', 'give a minute limit, a daily limit, or both');
    const old = await lockKeyInForce(tx, id, 'its limits cannot be changed');
    const value = await tx.apiKey.update({ where: { id }, data });
    const states = { was: describeLimits(old), became: describeLimits(value) };
    return { value, entry: { action: 'key limits', publisherId: old.publisherId, keyId: id, ...states } };
  };
}

/** One key. NOT_FOUND when there is none. */
export async function findKey(prisma: Pick<PrismaClient, 'apiKey'>, id: string): Promise<KeyRow> {
  const row = await prisma.apiKey.findUnique({ where: { id } });
  if (!row) throw notFound(`key ${id}`);
  return row;
}

/** Every key of a publisher, revoked ones included, oldest first. NOT_FOUND for an unknown publisher. */
export async function listKeys(prisma: PrismaClient, publisherId: string): Promise<KeyRow[]> {
  await findPublisher(prisma, publisherId);
  return prisma.apiKey.findMany({ where: { publisherId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** Stores a key's hash under the current pepper, so that the previous one can be removed. */
export async function rehashKey({ prisma, peppers }: KeyStore, key: ApiKey, previousPepperId: string): Promise<void> {
  const { id, ...data } = storedHash(peppers, key);
  await prisma.apiKey.updateMany({ where: { id, pepperId: previousPepperId }, data });
}

/** How many keys are in force under each pepper. */
export async function countKeysByPepper(prisma: PrismaClient): Promise<{ pepperId: string; keys: number }[]> {
  const groups = await prisma.apiKey.groupBy({ by: ['pepperId'], where: { revokedAt: null }, _count: true });
  return groups.map(({ pepperId, _count }) => ({ pepperId, keys: _count }));
}
