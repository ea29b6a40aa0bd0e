/** Publisher accounts in the database. */
import { AppError, notFound } from '@vds/chassis/errors';
import type { Executor } from '@vds/chassis/database/database';
import type { Publisher } from '#prisma';
import { checkPublisherNames, describeNames, type PublisherNames } from '../domain/publisher.ts';
import type { Change } from './audit.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-base62.ts';

export type { Publisher } from '#prisma';

const columns = 'id, name, organization, created_at AS "createdAt"';

/** Creates an account with a new id. INVALID_ARGUMENT for its names. */
export function createPublisher(names: PublisherNames): Change<Publisher> {
  return async (client) => {
    const { name, organization } = checkPublisherNames(names);
    const text = `INSERT INTO publishers (id, name, organization) VALUES ($1, $2, $3) RETURNING ${columns}`;
    const { rows } = await client.query<Publisher>(text, [`pub_${randomBase62(20)}`, name, organization]);
    const [value] = rows as [Publisher];
    const entry = { action: 'publisher create', publisherId: value.id, was: '', became: describeNames(value) };
    return { value, entry };
  };
}

/** Changes the names that are set. NOT_FOUND, or INVALID_ARGUMENT for none or an invalid one. */
export function renamePublisher(
  id: string,
  { name, organization }: { readonly [N in keyof PublisherNames]?: string | undefined },
): Change<Publisher> {
  return async (client) => {
    if (name === undefined && organization === undefined)
      throw new AppError('INVALID_ARGUMENT', 'give a name, an organization, or both');
    // Locked, so that the audit records the state that the change replaces.
    const old = await findPublisher(client, id, 'FOR UPDATE');
    const names = checkPublisherNames({ name: name ?? old.name, organization: organization ?? old.organization });
    const text = `UPDATE publishers SET name = $2, organization = $3 WHERE id = $1 RETURNING ${columns}`;
    const { rows } = await client.query<Publisher>(text, [id, names.name, names.organization]);
    const [value] = rows as [Publisher];
    const states = { was: describeNames(old), became: describeNames(value) };
    return { value, entry: { action: 'publisher rename', publisherId: id, ...states } };
  };
}

/** One account. NOT_FOUND when there is none. */
export async function findPublisher(db: Executor, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<Publisher> {
  const { rows } = await db.query<Publisher>(`SELECT ${columns} FROM publishers WHERE id = $1 ${lock}`, [id]);
  if (!rows[0]) throw notFound(`publisher ${id}`);
  return rows[0];
}

/** Every account, oldest first. */
export async function listPublishers(prisma: PrismaClient): Promise<Publisher[]> {
  return prisma.publisher.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
}
