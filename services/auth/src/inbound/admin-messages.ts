/** Rows as the messages of AuthAdmin. */
import type { AuditEntry } from '@vds/proto/generated/vds/auth/v1/AuditEntry.ts';
import type { Key } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { Publisher } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import type { SigningKey } from '@vds/proto/generated/vds/auth/v1/SigningKey.ts';
import type { ScheduledKey } from '../domain/signing-schedule.ts';
import type { AuditPage } from '../outbound/audit.ts';
import type { NewKey } from '../outbound/key-changes.ts';
import type { KeyRow } from '../outbound/keys.ts';
import type { Publisher as PublisherRow } from '../outbound/publishers.ts';

export function issuedMessage({ row, secretKey }: NewKey) {
  return { key: keyMessage(row), secretKey };
}

export function keyMessage(row: KeyRow): Key {
  return {
    id: row.id,
    publisherId: row.publisherId,
    scopes: row.scopes,
    minuteLimit: row.minuteLimit,
    dailyLimit: row.dailyLimit,
    budgetId: row.budgetId,
    createdAt: row.createdAt.toISOString(),
    ...(row.revokedAt && { revokedAt: row.revokedAt.toISOString() }),
  };
}

export function publisherMessage({ id, name, organization, createdAt }: PublisherRow): Publisher {
  return {
    id,
    name,
    organization,
    createdAt: createdAt.toISOString(),
  };
}

export function signingKeyMessage({ kid, publishedAt, signsFrom }: ScheduledKey): SigningKey {
  return {
    kid,
    publishedAt: iso(publishedAt),
    signsFrom: iso(signsFrom),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function auditMessage({ at, publisherId, keyId, newKeyId, ...row }: AuditPage['rows'][number]): AuditEntry {
  return {
    at: at.toISOString(),
    actor: row.actor,
    action: row.action,
    was: row.was,
    became: row.became,
    reason: row.reason,
    ...(publisherId !== null && { publisherId }),
    ...(keyId !== null && { keyId }),
    ...(newKeyId !== null && { newKeyId }),
  };
}
