/**
 * API keys in the database. The text of a key exists only in what `issueKey` and `rotateKey` return; what these verbs
 * change holds from the next request on, as nothing is cached anywhere.
 */
import { AppError, notFound } from '@vds/shared/errors';
import type { ApiKey as KeyRow } from '#prisma';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  RANDOM_SECRET_CHARACTERS,
  type ApiKey,
} from '../domain/api-key.ts';
import { checkLimits, checkScopes, DEFAULT_LIMITS, type GivenLimits } from '../domain/key-settings.ts';
import { hashSecret, type Peppers } from './key-hash.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-text.ts';

export type { ApiKey as KeyRow } from '#prisma';
export type KeyStore = { readonly prisma: PrismaClient; readonly peppers: Peppers };
export type NewKey = {
  readonly row: KeyRow;
  /** The whole key, this one time. */
  readonly secretKey: string;
};

const newKey = (): ApiKey => makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS));

/** What of a key is stored beside its settings. */
const stored = (peppers: Peppers, key: ApiKey) => {
  const { pepperId, hash } = hashSecret(peppers[0], key);
  return { id: key.id, pepperId, secretHash: new Uint8Array(hash) };
};

const findKey = async (prisma: PrismaClient, id: string): Promise<KeyRow> => {
  const row = await prisma.apiKey.findUnique({ where: { id } });
  if (!row) throw notFound(`key ${id}`);
  return row;
};

/**
 * Makes a key for a publisher; its id is also the id of its day budget.
 * @throws AppError NOT_FOUND for an unknown publisher, INVALID_ARGUMENT for scopes or limits
 */
export const issueKey = async (
  { prisma, peppers }: KeyStore,
  publisherId: string,
  scopes: readonly string[],
  limits: GivenLimits,
): Promise<NewKey> => {
  const settings = { scopes: [...checkScopes(scopes)], ...DEFAULT_LIMITS, ...checkLimits(limits) };
  if (!(await prisma.publisher.findUnique({ where: { id: publisherId } }))) throw notFound(`publisher ${publisherId}`);
  const key = newKey();
  const data = { ...stored(peppers, key), publisherId, budgetId: key.id, ...settings };
  return { row: await prisma.apiKey.create({ data }), secretKey: formatApiKey(key) };
};

/**
 * Replaces a key: one transaction revokes it and makes a new one with the same scopes, limits and day budget.
 * @throws AppError NOT_FOUND, or FAILED_PRECONDITION for a key that is revoked already
 */
export const rotateKey = async ({ prisma, peppers }: KeyStore, id: string): Promise<NewKey> => {
  const key = newKey();
  const row = await prisma.$transaction(async (tx) => {
    // Who turns the row from null to a time has won: a second rotation waits for its lock and then finds no such row.
    const revoked = await tx.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
    const old = await tx.apiKey.findUnique({ where: { id } });
    if (!old) throw notFound(`key ${id}`);
    if (revoked.count === 0)
      throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; issue a new key instead of rotating it`);
    const { publisherId, scopes, minuteLimit, dailyLimit, budgetId } = old;
    return tx.apiKey.create({
      data: { ...stored(peppers, key), publisherId, scopes, minuteLimit, dailyLimit, budgetId },
    });
  });
  return { row, secretKey: formatApiKey(key) };
};

/** Revokes a key, or leaves it as it was when it is revoked already. NOT_FOUND when there is none. */
export const revokeKey = async ({ prisma }: KeyStore, id: string): Promise<KeyRow> => {
  await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  return findKey(prisma, id);
};

/** Every key of a publisher, revoked ones too, oldest first. NOT_FOUND for an unknown publisher. */
export const listKeys = async ({ prisma }: KeyStore, publisherId: string): Promise<KeyRow[]> => {
  const found = await prisma.publisher.findUnique({
    where: { id: publisherId },
    include: { keys: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!found) throw notFound(`publisher ${publisherId}`);
  return found.keys;
};

/**
 * Changes one limit or both.
 * @throws AppError NOT_FOUND, INVALID_ARGUMENT, or FAILED_PRECONDITION for a revoked key
 */
export const setLimits = async ({ prisma }: KeyStore, id: string, limits: GivenLimits): Promise<KeyRow> => {
  const data = checkLimits(limits);
  if (Object.keys(data).length === 0)
    throw new AppError('INVALID_ARGUMENT', 'give a minute limit, a daily limit, or both');
  const { count } = await prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data });
  const row = await findKey(prisma, id);
  if (count === 0) throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; its limits cannot be changed`);
  return row;
};

/** Stores a key's hash under the current pepper, so that the previous pepper can be taken away one day. */
export const rehashKey = async (
  { prisma, peppers }: KeyStore,
  key: ApiKey,
  previousPepperId: string,
): Promise<void> => {
  const { id, ...data } = stored(peppers, key);
  await prisma.apiKey.updateMany({ where: { id, pepperId: previousPepperId }, data });
};

/** How many keys are in force under each pepper. */
export const countKeysByPepper = async ({ prisma }: KeyStore): Promise<{ pepperId: string; keys: number }[]> => {
  const groups = await prisma.apiKey.groupBy({ by: ['pepperId'], where: { revokedAt: null }, _count: true });
  return groups.map(({ pepperId, _count }) => ({ pepperId, keys: _count }));
};
