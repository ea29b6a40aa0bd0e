/** Publisher accounts in the database. */
import { AppError, notFound } from '@vds/chassis/errors';
import type { Executor } from '@vds/chassis/database/database';
import type { Publisher as PublisherRow } from '#prisma';
import { checkPublisherNames, describeNames, type PublisherNames } from '../domain/publisher.ts';
import type { Change } from './audit.ts';
import { organizationOf } from './organizations.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-base62.ts';
import type { SealingSecrets } from './sealed.ts';

export type Publisher = Pick<PublisherRow, 'id' | 'name' | 'organizationId' | 'createdAt' | 'suspendedAt'> & {
  /** Its name. */
  readonly organization: string;
};

const columns = `p.id, p.name, p.organization_id AS "organizationId", p.created_at AS "createdAt",
  p.suspended_at AS "suspendedAt",
  (SELECT name FROM organizations WHERE id = p.organization_id) AS organization`;

/** Creates an account with a new id. INVALID_ARGUMENT for its names; NOT_FOUND for an unknown id of an organization. */
export function createPublisher(secrets: SealingSecrets, names: PublisherNames): Change<Publisher> {
  return async (client) => {
    const { name, organization } = checkPublisherNames(names);
    const { id } = await organizationOf(client, secrets, organization);
    const text = `INSERT INTO publishers AS p (id, name, organization_id) VALUES ($1, $2, $3) RETURNING ${columns}`;
    const { rows } = await client.query<Publisher>(text, [`pub_${randomBase62(20)}`, name, id]);
    const [value] = rows as [Publisher];
    const entry = { action: 'publisher create', publisherId: value.id, was: '', became: describeNames(value) };
    return { value, entry };
  };
}

/** Changes what is set. NOT_FOUND, or INVALID_ARGUMENT for nothing or an invalid name. */
export function renamePublisher(
  secrets: SealingSecrets,
  id: string,
  { name, organization }: { readonly [N in keyof PublisherNames]?: string | undefined },
): Change<Publisher> {
  return async (client) => {
    if (name === undefined && organization === undefined)
      throw new AppError('INVALID_ARGUMENT', 'give a name, an organization, or both');
    // Locked, so that the audit records the state that the change replaces.
    const old = await findPublisher(client, id, 'FOR UPDATE');
    const names = checkPublisherNames({ name: name ?? old.name, organization: organization ?? old.organizationId });
    const { id: organizationId } = await organizationOf(client, secrets, names.organization);
    const text = `UPDATE publishers AS p SET name = $2, organization_id = $3 WHERE id = $1 RETURNING ${columns}`;
    const { rows } = await client.query<Publisher>(text, [id, names.name, organizationId]);
    const [value] = rows as [Publisher];
    const states = { was: describeNames(old), became: describeNames(value) };
    return { value, entry: { action: 'publisher rename', publisherId: id, ...states } };
  };
}

/** Suspends an account, or ends its suspension; one that is so already stays unchanged. NOT_FOUND when there is none. */
export function setSuspension(id: string, suspended: boolean): Change<Publisher> {
  return async (client) => {
    const old = await findPublisher(client, id, 'FOR UPDATE');
    const text = `UPDATE publishers AS p SET suspended_at = $2 WHERE id = $1 RETURNING ${columns}`;
    const isChange = suspended !== (old.suspendedAt !== null);
    const { rows } = isChange
      ? await client.query<Publisher>(text, [id, suspended ? new Date() : null])
      : { rows: [old] };
    const [value] = rows as [Publisher];
    const states = { was: describeSuspension(old), became: describeSuspension(value) };
    return {
      value,
      entry: { action: suspended ? 'publisher suspend' : 'publisher resume', publisherId: id, ...states },
    };
  };
}

function describeSuspension({ suspendedAt }: Publisher): string {
  return suspendedAt === null ? 'active' : `suspended ${suspendedAt.toISOString()}`;
}

/** One account. NOT_FOUND when there is none. */
export async function findPublisher(db: Executor, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<Publisher> {
  const { rows } = await db.query<Publisher>(`SELECT ${columns} FROM publishers p WHERE id = $1 ${lock}`, [id]);
  if (!rows[0]) throw notFound(`publisher ${id}`);
  return rows[0];
}

/** Every account, oldest first. */
export async function listPublishers(prisma: PrismaClient): Promise<Publisher[]> {
  const rows = await prisma.publisher.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { organization: { select: { name: true } } },
  });
  return rows.map(({ organization, ...row }) => ({ ...row, organization: organization.name }));
}
