/** Publisher accounts in the database. */
import { AppError, notFound } from '@vds/chassis/errors';
import type { Publisher } from '#prisma';
import { checkPublisherNames, describeNames, type PublisherNames } from '../domain/publisher.ts';
import type { Change } from './audit.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-base62.ts';

export type { Publisher } from '#prisma';

/** Creates an account with a new id. INVALID_ARGUMENT for its names. */
export function createPublisher(names: PublisherNames): Change<Publisher> {
  return async (tx) => {
    const data = { id: `pub_${randomBase62(20)}`, ...checkPublisherNames(names) };
    const value = await tx.publisher.create({ data });
    const entry = { action: 'publisher create', publisherId: value.id, was: '', became: describeNames(value) };
    return { value, entry };
  };
}

/** Changes the names that are set. NOT_FOUND, or INVALID_ARGUMENT for none or an invalid one. */
export function renamePublisher(
  id: string,
  { name, organization }: { readonly [N in keyof PublisherNames]?: string | undefined },
): Change<Publisher> {
  return async (tx) => {
    if (name === undefined && organization === undefined)
      throw new AppError('INVALID_ARGUMENT', 'give a name, an organization, or both');
    // Locked, so that the audit records the state that the change replaces.
    await tx.$queryRaw`SELECT 1 FROM publishers WHERE id = ${id} FOR UPDATE`;
    const old = await findPublisher(tx, id);
    const data = checkPublisherNames({ name: name ?? old.name, organization: organization ?? old.organization });
    const value = await tx.publisher.update({ where: { id }, data });
    const names = { was: describeNames(old), became: describeNames(value) };
    return { value, entry: { action: 'publisher rename', publisherId: id, ...names } };
  };
}

/** One account. NOT_FOUND when there is none. */
export async function findPublisher(prisma: Pick<PrismaClient, 'publisher'>, id: string): Promise<Publisher> {
  const found = await prisma.publisher.findUnique({ where: { id } });
  if (!found) throw notFound(`publisher ${id}`);
  return found;
}

/** Every account, oldest first. */
export async function listPublishers(prisma: PrismaClient): Promise<Publisher[]> {
  return prisma.publisher.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}
