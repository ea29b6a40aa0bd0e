/** Changes and their audit: one transaction makes the change and writes its row, or neither. */
import { auditPage, pageOf, type AuditQuery, type By } from '@vds/chassis/database/audit';
import type { Audit } from '#prisma';
import type { Entry } from '../domain/audit.ts';
import type { PrismaClient, Writer } from './prisma.ts';

export type Changed<T> = { readonly value: T; readonly entry: Entry };
/** A change that can be made inside a transaction; it tells what it did. */
export type Change<T> = (tx: Writer) => Promise<Changed<T>>;

export type AuditPage = { readonly rows: readonly Audit[]; readonly nextCursor: string };

/** Makes the change and writes who made it and why. */
export async function make<T>(prisma: PrismaClient, by: By, change: Change<T>): Promise<Changed<T>> {
  return prisma.$transaction(async (tx) => {
    const changed = await change(tx);
    await tx.audit.create({ data: { ...by, ...changed.entry } });
    return changed;
  });
}

/** Makes the change and takes it back: what it would do, or the error that it would end with. */
export async function preview(prisma: PrismaClient, change: Change<unknown>): Promise<Entry> {
  let seen: Entry | undefined;
  const undo = new Error('nothing of this is kept');
  try {
    await prisma.$transaction(async (tx) => {
      seen = (await change(tx)).entry;
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!seen) throw new Error('the change told nothing');
  return seen;
}

/**
 * One page, newest first.
 * @param asked empty ids: of any publisher, of any key
 * @throws AppError INVALID_ARGUMENT
 */
export async function listAudit(
  prisma: PrismaClient,
  asked: AuditQuery & { readonly publisherId: string; readonly keyId: string },
): Promise<AuditPage> {
  const { publisherId, keyId } = asked;
  const ofPublisher = publisherId === '' ? [] : [{ publisherId }];
  const ofKey = keyId === '' ? [] : [{ OR: [{ keyId }, { newKeyId: keyId }] }];
  return pageOf(await prisma.audit.findMany(auditPage(asked, [...ofPublisher, ...ofKey])), asked);
}
