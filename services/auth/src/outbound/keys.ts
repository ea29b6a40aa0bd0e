/** API keys as they stand in the database. */
import { notFound } from '@vds/chassis/errors';
import type { ApiKey as KeyRow } from '#prisma';
import type { ApiKey } from '../domain/api-key.ts';
import { hashSecret, type Peppers } from './key-hash.ts';
import type { PrismaClient } from './prisma.ts';

export type { ApiKey as KeyRow } from '#prisma';
export type KeyStore = { readonly prisma: PrismaClient; readonly peppers: Peppers };

/** One key. NOT_FOUND when there is none. */
export async function findKey(prisma: Pick<PrismaClient, 'apiKey'>, id: string): Promise<KeyRow> {
  const row = await prisma.apiKey.findUnique({ where: { id } });
  if (!row) throw notFound(`key ${id}`);
  return row;
}

/** Every key of a publisher, revoked ones too, oldest first. NOT_FOUND for an unknown publisher. */
export async function listKeys({ prisma }: KeyStore, publisherId: string): Promise<KeyRow[]> {
  const found = await prisma.publisher.findUnique({
    where: { id: publisherId },
    include: { keys: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  });
  if (!found) throw notFound(`publisher ${publisherId}`);
  return found.keys;
}

/** Stores a key's hash under the current pepper, so that the previous pepper can be taken away one day. */
export async function rehashKey({ prisma, peppers }: KeyStore, key: ApiKey, previousPepperId: string): Promise<void> {
  const { id, ...data } = stored(peppers, key);
  await prisma.apiKey.updateMany({ where: { id, pepperId: previousPepperId }, data });
}

/** What of a key is stored beside its settings. */
export function stored(peppers: Peppers, key: ApiKey) {
  const { pepperId, hash } = hashSecret(peppers[0], key);
  return { id: key.id, pepperId, secretHash: new Uint8Array(hash) };
}

/** How many keys are in force under each pepper. */
export async function countKeysByPepper({ prisma }: KeyStore): Promise<{ pepperId: string; keys: number }[]> {
  const groups = await prisma.apiKey.groupBy({ by: ['pepperId'], where: { revokedAt: null }, _count: true });
  return groups.map(({ pepperId, _count }) => ({ pepperId, keys: _count }));
}
