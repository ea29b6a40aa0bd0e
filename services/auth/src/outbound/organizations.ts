/** Organizations in the database: whom publishers belong to, and performance data is recorded for. */
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Executor } from '@vds/chassis/database/database';
import { AppError, notFound } from '@vds/chassis/errors';
import type { Organization as OrganizationRow } from '#prisma';
import { checkOrganizationName } from '../domain/publisher.ts';
import type { Change } from './audit.ts';
import type { PrismaClient } from './prisma.ts';
import { randomBase62 } from './random-base62.ts';
import { seal, unseal, type SealingSecrets } from './sealed.ts';

export type Organization = Omit<OrganizationRow, 'sealedViewerKey'>;
const columns = 'id, name, created_at AS "createdAt"';
const ID = /^org_[0-9A-Za-z]{20}$/;

/** ALREADY_EXISTS for a name that is taken, INVALID_ARGUMENT for an invalid one. */
export function createOrganization(secrets: SealingSecrets, given: string): Change<Organization> {
  return async (client) => {
    const name = checkOrganizationName(given);
    const value = await insert(client, secrets, name);
    if (!value) throw taken(name);
    return { value, entry: { action: 'organization create', was: '', became: describe(value) } };
  };
}

/** NOT_FOUND, ALREADY_EXISTS or INVALID_ARGUMENT. */
export function renameOrganization(id: string, given: string): Change<Organization> {
  return async (client) => {
    const name = checkOrganizationName(given);
    const old = await findOrganization(client, id, 'FOR UPDATE');
    const { rows: others } = await client.query('SELECT FROM organizations WHERE name = $2 AND id <> $1', [id, name]);
    if (others.length > 0) throw taken(name);
    const text = `UPDATE organizations SET name = $2 WHERE id = $1 RETURNING ${columns}`;
    const { rows } = await client.query<Organization>(text, [id, name]);
    const [value] = rows as [Organization];
    return { value, entry: { action: 'organization rename', was: describe(old), became: describe(value) } };
  };
}

/** The one with this id or name; a new name creates it. NOT_FOUND for an unknown id. */
export async function organizationOf(
  client: Executor,
  secrets: SealingSecrets,
  idOrName: string,
): Promise<Organization> {
  if (ID.test(idOrName)) return findOrganization(client, idOrName);
  const name = checkOrganizationName(idOrName);
  const created = await insert(client, secrets, name);
  if (created) return created;
  const { rows } = await client.query<Organization>(`SELECT ${columns} FROM organizations WHERE name = $1`, [name]);
  return (rows as [Organization])[0];
}

/** Undefined where the name is taken. */
async function insert(client: Executor, secrets: SealingSecrets, name: string): Promise<Organization | undefined> {
  const id = `org_${randomBase62(20)}`;
  const { rows } = await client.query<Organization>(
    `INSERT INTO organizations (id, name, sealed_viewer_key) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO NOTHING RETURNING ${columns}`,
    [id, name, seal(secrets, id, randomBytes(32).toString('base64'))],
  );
  return rows[0];
}

/** NOT_FOUND when there is none. */
export async function findOrganization(db: Executor, id: string, lock: 'FOR UPDATE' | '' = ''): Promise<Organization> {
  const { rows } = await db.query<Organization>(`SELECT ${columns} FROM organizations WHERE id = $1 ${lock}`, [id]);
  if (!rows[0]) throw notFound(`organization ${id}`);
  return rows[0];
}

/** Every organization, oldest first. */
export function listOrganizations(prisma: PrismaClient): Promise<Organization[]> {
  return prisma.organization.findMany({
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    omit: { sealedViewerKey: true },
  });
}

/** What views of a publisher's videos are recorded under. NOT_FOUND for an unknown publisher. */
export async function describePublisher(db: Executor, secrets: SealingSecrets, publisherId: string) {
  const { rows } = await db.query<{ id: string; sealed: Buffer }>({
    name: 'auth-describe-publisher',
    text: `SELECT o.id, o.sealed_viewer_key AS sealed FROM publishers p JOIN organizations o ON o.id = p.organization_id
      WHERE p.id = $1`,
    values: [publisherId],
  });
  const [row] = rows;
  if (!row) throw notFound(`publisher ${publisherId}`);
  return { organizationId: row.id, viewerKey: Buffer.from(unseal(secrets, row.id, row.sealed), 'base64') };
}

/**
 * Hashes a viewer's id for a playback token, which is readable by its bearer: HMAC-SHA256 under a key of its own (HKDF,
 * RFC 5869). The organization's key hashes it once more where views are recorded. With another current secret, viewers who
 * return are counted as new ones.
 */
export function viewerHasher([secret]: SealingSecrets): (viewerId: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'viewer ids of playback tokens', 32));
  return (viewerId) => createHmac('sha256', key).update(viewerId).digest('base64url');
}

function taken(name: string): AppError {
  return new AppError('ALREADY_EXISTS', `there is an organization '${name}' already`);
}

function describe({ id, name }: Organization): string {
  return `'${name}' (${id})`;
}
