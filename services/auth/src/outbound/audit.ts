/** Changes and their audit: one transaction makes the change and writes its audit row. */
import { auditPage, pageOf, type AuditQuery, type By } from '@vds/chassis/database/audit';
import type { Audit } from '#prisma';
import type { PrismaClient, Transaction } from './prisma.ts';

/** What a change did; never the text of a key. */
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
export type Change<T> = (tx: Transaction) => Promise<Changed<T>>;

export type AuditPage = { readonly rows: readonly Audit[]; readonly nextCursor: string };

/** Makes the change and records who made it and why. */
export async function commitChange<T>(prisma: PrismaClient, by: By, change: Change<T>): Promise<Changed<T>> {
  return prisma.$transaction(async (tx) => {
    const changed = await change(tx);
    await tx.audit.create({ data: { ...by, ...changed.entry } });
    return changed;
  });
}

/** Makes the change and rolls it back: what it would do, or the error that it would fail with. */
export async function previewChange(prisma: PrismaClient, change: Change<unknown>): Promise<AuditEntry> {
  let entry: AuditEntry | undefined;
  const rollback = new Error('a preview is rolled back');
  try {
    await prisma.$transaction(async (tx) => {
      entry = (await change(tx)).entry;
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
