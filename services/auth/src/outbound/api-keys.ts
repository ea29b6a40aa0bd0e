/**
 * API keys in the database, and the changes that the operator's staff makes to them. The text of a key exists only in
 * what `issueKey` and `rotateKey` return. Changes apply from the next request on: keys are cached nowhere.
 */
import { AppError, notFound } from '@vds/chassis/errors';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import type { Executor, Pool } from '@vds/chassis/database/database';
import type { ApiKey as StoredKey } from '#prisma';
import {
  formatApiKey,
  KEY_ID_CHARACTERS,
  makeApiKey,
  RANDOM_SECRET_CHARACTERS,
  type ApiKey,
} from '../domain/api-key.ts';
import {
  checkLabel,
  checkLimits,
  checkScopes,
  DEFAULT_LIMITS,
  describeLimits,
  type OptionalLimits,
} from '../domain/key-settings.ts';
import type { Change } from './audit.ts';
import { hashSecret, type Peppers } from './key-hash.ts';
import type { PrismaClient } from './prisma.ts';
import { findPublisher } from './publishers.ts';
import { randomBase62 } from './random-base62.ts';

/** A key without its hash. */
export type KeyRow = Omit<StoredKey, 'secretHash'>;
export type KeyStore = { readonly pool: Pool; readonly prisma: PrismaClient; readonly peppers: Peppers };
export type NewKey = {
  readonly row: KeyRow;
  /** The full key; it cannot be read again. */
  readonly secretKey: string;
};
type KeySettings = Pick<KeyRow, 'publisherId' | 'scopes' | 'minuteLimit' | 'dailyLimit' | 'label'>;

const columns = `id, publisher_id AS "publisherId", scopes, minute_limit AS "minuteLimit", daily_limit AS "dailyLimit",
  budget_id AS "budgetId", pepper_id AS "pepperId", created_at AS "createdAt", revoked_at AS "revokedAt", label`;

/**
 * Issues a key to a publisher; its id is also the id of its day budget.
 * NOT_FOUND for an unknown publisher, INVALID_ARGUMENT for scopes, limits or label.
 */
export function issueKey(
  peppers: Peppers,
  publisherId: string,
  scopes: readonly string[],
  { label = '', ...limits }: OptionalLimits & { readonly label?: string },
): Change<NewKey> {
  return async (client) => {
    const settings = {
      scopes: [...checkScopes(scopes)],
      ...DEFAULT_LIMITS,
      ...checkLimits(limits),
      label: checkLabel(label),
    };
    await findPublisher(client, publisherId);
    const value = await createKey(client, peppers, { publisherId, ...settings });
    const { id: keyId } = value.row;
    const named = settings.label === '' ? '' : `'${settings.label}': `;
    const became = `${named}${value.row.scopes.join(' ')}, ${describeLimits(value.row)}`;
    return { value, entry: { action: 'key issue', publisherId, keyId, was: '', became } };
  };
}

async function createKey(
  client: Executor,
  peppers: Peppers,
  { publisherId, scopes, minuteLimit, dailyLimit, label, budgetId }: KeySettings & { readonly budgetId?: string },
): Promise<NewKey> {
  const key = makeApiKey(randomBase62(KEY_ID_CHARACTERS), randomBase62(RANDOM_SECRET_CHARACTERS));
  const { pepperId, hash } = hashSecret(peppers[0], key);
  const { rows } = await client.query<KeyRow>(
    `INSERT INTO api_keys (id, budget_id, publisher_id, scopes, minute_limit, daily_limit, pepper_id, secret_hash, label)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING ${columns}`,
    [key.id, budgetId ?? key.id, publisherId, scopes, minuteLimit, dailyLimit, pepperId, hash, label],
  );
  const [row] = rows as [KeyRow];
  return { row, secretKey: formatApiKey(key) };
}

/**
 * Replaces a key: revokes it and issues a new one with the same scopes, limits and day budget.
 * NOT_FOUND, or FAILED_PRECONDITION for a key that is already revoked.
 */
export function rotateKey(peppers: Peppers, id: string): Change<NewKey> {
  return async (client) => {
    // A concurrent rotation waits for the row lock and then finds the key revoked.
    const old = await lockKeyInForce(client, id, 'issue a new key instead of rotating it');
    await revoke(client, id);
    await failpoint('auth.key-revoked');
    const { publisherId } = old;
    const value = await createKey(client, peppers, old);
    const states = { was: describeState(old), became: 'revoked, replaced by a new key' };
    return { value, entry: { action: 'key rotate', publisherId, keyId: id, newKeyId: value.row.id, ...states } };
  };
}

async function lockKeyInForce(client: Executor, id: string, hint: string): Promise<KeyRow> {
  const row = await lockKey(client, id);
  if (row.revokedAt !== null) throw new AppError('FAILED_PRECONDITION', `key ${id} is revoked; ${hint}`);
  return row;
}

/** The key, locked until the transaction ends, so that the audit records the state that the change replaces. */
function lockKey(client: Executor, id: string): Promise<KeyRow> {
  return findKey(client, id, 'FOR UPDATE');
}

async function revoke(client: Executor, id: string): Promise<KeyRow> {
  const text = `UPDATE api_keys SET revoked_at = clock_timestamp() WHERE id = $1 RETURNING ${columns}`;
  const { rows } = await client.query<KeyRow>(text, [id]);
  return (rows as [KeyRow])[0];
}

function describeState({ revokedAt }: KeyRow): string {
  return revokedAt === null ? 'in force' : `revoked ${revokedAt.toISOString()}`;
}

/** Revokes a key; one already revoked stays unchanged. NOT_FOUND when there is none. */
export function revokeKey(id: string): Change<KeyRow> {
  return async (client) => {
    const old = await lockKey(client, id);
    const isInForce = old.revokedAt === null;
    const value = isInForce ? await revoke(client, id) : old;
    const states = { was: describeState(old), became: isInForce ? 'revoked' : describeState(old) };
    return { value, entry: { action: 'key revoke', publisherId: old.publisherId, keyId: id, ...states } };
  };
}

/**
 * Changes one limit or both.
 * NOT_FOUND, INVALID_ARGUMENT, or FAILED_PRECONDITION for a revoked key.
 */
export function setLimits(id: string, limits: OptionalLimits): Change<KeyRow> {
  return async (client) => {
    const changed = checkLimits(limits);
    if (Object.keys(changed).length === 0)
      throw new AppError('INVALID_ARGUMENT', 'give a minute limit, a daily limit, or both');
    const old = await lockKeyInForce(client, id, 'its limits cannot be changed');
    const { minuteLimit, dailyLimit } = { ...old, ...changed };
    const text = `UPDATE api_keys SET minute_limit = $2, daily_limit = $3 WHERE id = $1 RETURNING ${columns}`;
    const { rows } = await client.query<KeyRow>(text, [id, minuteLimit, dailyLimit]);
    const [value] = rows as [KeyRow];
    const states = { was: describeLimits(old), became: describeLimits(value) };
    return { value, entry: { action: 'key limits', publisherId: old.publisherId, keyId: id, ...states } };
  };
}

/** One key. NOT_FOUND when there is none. */
export async function findKey(db: Executor, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<KeyRow> {
  const { rows } = await db.query<KeyRow>(`SELECT ${columns} FROM api_keys WHERE id = $1 ${lock}`, [id]);
  if (!rows[0]) throw notFound(`key ${id}`);
  return rows[0];
}

/** Every key of a publisher, revoked ones included, oldest first. NOT_FOUND for an unknown publisher. */
export async function listKeys({ pool, prisma }: KeyStore, publisherId: string): Promise<KeyRow[]> {
  await findPublisher(pool, publisherId);
  return prisma.apiKey.findMany({ where: { publisherId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}

/** Stores a key's hash under the current pepper, so that the previous one can be removed. */
export async function rehashKey({ pool, peppers }: KeyStore, key: ApiKey, previousPepperId: string): Promise<void> {
  const { pepperId, hash } = hashSecret(peppers[0], key);
  const text = 'UPDATE api_keys SET pepper_id = $3, secret_hash = $4 WHERE id = $1 AND pepper_id = $2';
  await pool.query(text, [key.id, previousPepperId, pepperId, hash]);
}

/** How many keys are in force under each pepper. */
export async function countKeysByPepper(prisma: PrismaClient): Promise<{ pepperId: string; keys: number }[]> {
  const groups = await prisma.apiKey.groupBy({ by: ['pepperId'], where: { revokedAt: null }, _count: true });
  return groups.map(({ pepperId, _count }) => ({ pepperId, keys: _count }));
}
