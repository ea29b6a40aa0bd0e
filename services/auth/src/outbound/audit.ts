/** Changes and their audit: one transaction makes the change and writes its audit row. */
import { auditPage, pageOf, type AuditQuery, type By } from '@vds/chassis/database/audit';
import type { Audit } from '#prisma';
import { withTransaction, type Executor, type Pool } from '@vds/chassis/database/database';
import type { PrismaClient } from './prisma.ts';

/** The effect of a change; never the text of a key. */
export type AuditEntry = {
  readonly action: string;
  readonly publisherId?: string;
  readonly keyId?: string;
  readonly newKeyId?: string;
  readonly was: string;
  readonly became: string;
};
export type Changed<T> = { readonly value: T; readonly entry: AuditEntry };
/** A change to make inside a transaction. */
export type Change<T> = (client: Executor) => Promise<Changed<T>>;

export type AuditPage = { readonly rows: readonly Audit[]; readonly nextCursor: string };

/** Makes the change and records who made it and why. */
export function commitChange<T>(pool: Pool, by: By, change: Change<T>): Promise<Changed<T>> {
  return withTransaction(pool, async (client) => {
    const changed = await change(client);
    const { action, publisherId, keyId, newKeyId, was, became } = changed.entry;
    await client.query(
      `INSERT INTO audit (actor, reason, action, publisher_id, key_id, new_key_id, was, became)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [by.actor, by.reason, action, publisherId, keyId, newKeyId, was, became],
    );
    return changed;
  });
}

/** Makes the change and rolls it back: its would-be effect, or its error. */
export async function previewChange(pool: Pool, change: Change<unknown>): Promise<AuditEntry> {
  let entry: AuditEntry | undefined;
  const rollback = new Error('a preview is rolled back');
  try {
    await withTransaction(pool, async (client) => {
      entry = (await change(client)).entry;
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  if (!entry) throw new Error('the change returned no entry');
  return entry;
}

/**
 * One page, newest first.
 * @param query empty ids: of any publisher, of any key
 * @throws AppError INVALID_ARGUMENT
 */
export async function listAudit(
  prisma: PrismaClient,
  query: AuditQuery & { readonly publisherId: string; readonly keyId: string },
): Promise<AuditPage> {
  const { publisherId, keyId } = query;
  const byPublisher = publisherId === '' ? [] : [{ publisherId }];
  const byKey = keyId === '' ? [] : [{ OR: [{ keyId }, { newKeyId: keyId }] }];
  return pageOf(await prisma.audit.findMany(auditPage(query, [...byPublisher, ...byKey])), query);
}
