/**
 * AuthAdmin over gRPC: the verbs of the operator's staff. Every change is in the audit, with who and why, and logged by
 * id; the text of a key is in neither.
 */
import { auth } from '@vds/proto';
import type { AuthAdminHandlers } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import { checkBy, type By } from '@vds/chassis/database/audit';
import type { Logger } from '@vds/chassis/telemetry/log';
import { service, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import { rejectKeys } from '../domain/audit.ts';
import type { ScheduledKey } from '../domain/signing-schedule.ts';
import { preview, listAudit, make, type Change } from '../outbound/audit.ts';
import { findKey, listKeys, type KeyStore } from '../outbound/keys.ts';
import { findPublisher, listPublishers } from '../outbound/publishers.ts';
import { adminChanges, askedChange } from './admin-changes.ts';
import { auditMessage, issuedMessage, keyMessage, publisherMessage, signingKeyMessage } from './admin-messages.ts';

export type Signing = {
  /** Publishes the next signing key. */
  readonly rotate: Change<ScheduledKey>;
  /** Called when a key was published. */
  readonly published: () => void;
};
type Admin = Methods<AuthAdminHandlers>;
type Caller = { readonly caller: string };

/** Only vdsctl calls; its token is the staff's. */
const staff = ['vdsctl'];
const callers = {
  CreatePublisher: staff,
  UpdatePublisher: staff,
  GetPublisher: staff,
  ListPublishers: staff,
  IssueKey: staff,
  RotateKey: staff,
  RevokeKey: staff,
  GetKey: staff,
  ListKeys: staff,
  SetLimits: staff,
  RotateSigningKey: staff,
  ForeseeChange: staff,
  ListAudit: staff,
};

/** The admin service. */
export function authAdmin(store: KeyStore, signing: Signing, log: Logger): Served {
  const changes = adminChanges(store, signing.rotate);
  const commit = committer(store, log);
  return service<AuthAdminHandlers>(auth.AuthAdmin.service, callers, {
    ...reads(store),
    CreatePublisher: async (asked, call) => publisherMessage(await commit(changes.createPublisher(asked), asked, call)),
    UpdatePublisher: async (asked, call) => publisherMessage(await commit(changes.updatePublisher(asked), asked, call)),
    IssueKey: async (asked, call) => issuedMessage(await commit(changes.issueKey(asked), asked, call)),
    RotateKey: async (asked, call) => issuedMessage(await commit(changes.rotateKey(asked), asked, call)),
    RevokeKey: async (asked, call) => keyMessage(await commit(changes.revokeKey(asked), asked, call)),
    SetLimits: async (asked, call) => keyMessage(await commit(changes.setLimits(asked), asked, call)),
    RotateSigningKey: async (asked, call) => {
      const next = await commit(changes.rotateSigningKey(), asked, call);
      signing.published();
      return signingKeyMessage(next);
    },
    ForeseeChange: async (asked, call) => {
      const { by, change } = askedChange(changes, asked);
      whoAsks(by, call);
      const { action, was, became } = await preview(store.prisma, change);
      return { action, was, became };
    },
  });
}

/** Makes a change in the name of who asks. */
function committer({ prisma }: KeyStore, log: Logger) {
  return async <T>(change: Change<T>, by: By, call: Caller): Promise<T> => {
    const who = whoAsks(by, call);
    const { value, entry } = await make(prisma, who, change);
    const { action, publisherId, keyId, newKeyId } = entry;
    const ids = { publisher_id: publisherId, key_id: keyId, new_key_id: newKeyId };
    log.info({ action, ...ids, actor: who.actor }, 'the staff made a change');
    return value;
  };
}

function reads(store: KeyStore): Pick<Admin, 'GetPublisher' | 'ListPublishers' | 'GetKey' | 'ListKeys' | 'ListAudit'> {
  return {
    GetPublisher: async ({ publisherId }) => publisherMessage(await findPublisher(store.prisma, publisherId)),
    ListPublishers: async () => ({ publishers: (await listPublishers(store.prisma)).map(publisherMessage) }),
    GetKey: async ({ keyId }) => keyMessage(await findKey(store.prisma, keyId)),
    ListKeys: async ({ publisherId }) => ({ keys: (await listKeys(store, publisherId)).map(keyMessage) }),
    ListAudit: async (asked) => {
      const { rows, nextCursor } = await listAudit(store.prisma, asked);
      return { entries: rows.map(auditMessage), nextCursor };
    },
  };
}

/** Who asks and why. INVALID_ARGUMENT for what is not to be kept. */
function whoAsks({ actor, reason }: By, { caller }: Caller): By {
  rejectKeys(`${actor} ${reason}`);
  return checkBy({ actor, reason }, caller);
}
