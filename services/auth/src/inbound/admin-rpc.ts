/** AuthAdmin over gRPC: the verbs of the operator's staff. Every change is logged by id; the text of a key never is. */
import { auth } from '@vds/proto';
import type { AuthAdminHandlers } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { Key } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { Publisher } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import type { Logger } from '@vds/shared/log';
import { service, type Served } from '@vds/shared/rpc';
import type { ScheduledKey } from '../domain/signing-schedule.ts';
import { issueKey, listKeys, revokeKey, rotateKey, setLimits, type KeyRow, type KeyStore } from '../outbound/keys.ts';
import { createPublisher, listPublishers, type Publisher as PublisherRow } from '../outbound/publishers.ts';

const keyMessage = (row: KeyRow): Key => ({
  id: row.id,
  publisherId: row.publisherId,
  scopes: row.scopes,
  minuteLimit: row.minuteLimit,
  dailyLimit: row.dailyLimit,
  budgetId: row.budgetId,
  createdAt: row.createdAt.toISOString(),
  ...(row.revokedAt && { revokedAt: row.revokedAt.toISOString() }),
});

const publisherMessage = ({ id, name, organization, createdAt }: PublisherRow): Publisher => ({
  id,
  name,
  organization,
  createdAt: createdAt.toISOString(),
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** Only vdsctl calls; its token is the staff's. */
const callers = ['vdsctl'];

/**
 * The admin service.
 * @param rotateSigning publishes the next signing key
 */
export const authAdmin = (store: KeyStore, rotateSigning: () => Promise<ScheduledKey>, log: Logger): Served =>
  service<AuthAdminHandlers>(
    auth.AuthAdmin.service,
    {
      CreatePublisher: callers,
      ListPublishers: callers,
      IssueKey: callers,
      RotateKey: callers,
      RevokeKey: callers,
      ListKeys: callers,
      SetLimits: callers,
      RotateSigningKey: callers,
    },
    {
      CreatePublisher: async ({ name, organization }) => {
        const row = await createPublisher(store.prisma, { name, organization });
        log.info({ publisher_id: row.id }, 'a publisher was created');
        return publisherMessage(row);
      },
      ListPublishers: async () => ({ publishers: (await listPublishers(store.prisma)).map(publisherMessage) }),
      IssueKey: async ({ publisherId, scopes, minuteLimit, dailyLimit }) => {
        const { row, secretKey } = await issueKey(store, publisherId, scopes, { minuteLimit, dailyLimit });
        log.info({ publisher_id: publisherId, key_id: row.id }, 'a key was issued');
        return { key: keyMessage(row), secretKey };
      },
      RotateKey: async ({ keyId }) => {
        const { row, secretKey } = await rotateKey(store, keyId);
        log.info({ publisher_id: row.publisherId, key_id: row.id, revoked_key_id: keyId }, 'a key was rotated');
        return { key: keyMessage(row), secretKey };
      },
      RevokeKey: async ({ keyId }) => {
        const row = await revokeKey(store, keyId);
        log.info({ publisher_id: row.publisherId, key_id: keyId }, 'a key was revoked');
        return keyMessage(row);
      },
      ListKeys: async ({ publisherId }) => ({ keys: (await listKeys(store, publisherId)).map(keyMessage) }),
      SetLimits: async ({ keyId, minuteLimit, dailyLimit }) => {
        const row = await setLimits(store, keyId, { minuteLimit, dailyLimit });
        const limits = { minute_limit: row.minuteLimit, daily_limit: row.dailyLimit };
        log.info({ publisher_id: row.publisherId, key_id: keyId, ...limits }, 'the limits of a key were set');
        return keyMessage(row);
      },
      RotateSigningKey: async () => {
        const { kid, publishedAt, signsFrom } = await rotateSigning();
        log.info({ kid, signs_from: iso(signsFrom) }, 'a signing key was published');
        return { kid, publishedAt: iso(publishedAt), signsFrom: iso(signsFrom) };
      },
    },
  );
