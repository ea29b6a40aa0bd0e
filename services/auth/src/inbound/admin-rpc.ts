/**
 * AuthAdmin over gRPC: administration by the operator's staff. Every change is audited with actor and reason, and
 * logged by id; neither contains the text of a key.
 */
import { auth } from '@vds/proto';
import type { AuditEntry } from '@vds/proto/generated/vds/auth/v1/AuditEntry.ts';
import type { AuthAdminHandlers } from '@vds/proto/generated/vds/auth/v1/AuthAdmin.ts';
import type { Key } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import type { PreviewChangeRequestOut } from '@vds/proto/generated/vds/auth/v1/PreviewChangeRequest.ts';
import type { Publisher } from '@vds/proto/generated/vds/auth/v1/Publisher.ts';
import { checkBy, type By } from '@vds/chassis/database/audit';
import { AppError } from '@vds/chassis/errors';
import { service, type Call, type Methods, type Served } from '@vds/chassis/rpc/rpc';
import type { Logger } from '@vds/chassis/telemetry/log';
import { rejectKeys } from '../domain/api-key.ts';
import type { ScheduledKey } from '../domain/signing-schedule.ts';
import {
  findKey,
  issueKey,
  listKeys,
  revokeKey,
  rotateKey,
  setLimits,
  type KeyRow,
  type KeyStore,
  type NewKey,
} from '../outbound/api-keys.ts';
import { commitChange, listAudit, previewChange, type AuditPage, type Change } from '../outbound/audit.ts';
import {
  createOrganization,
  listOrganizations,
  renameOrganization,
  type Organization as OrganizationRow,
} from '../outbound/organizations.ts';
import {
  createPublisher,
  findPublisher,
  listPublishers,
  renamePublisher,
  setSuspension,
  type Publisher as PublisherRow,
} from '../outbound/publishers.ts';
import type { SealingSecrets } from '../outbound/sealed.ts';
import { addStaff, listStaff, revokeStaff, type StaffMember as StaffRow } from '../outbound/staff.ts';
import type { MintedToken } from '../outbound/mint-token.ts';

export type Deps = {
  readonly store: KeyStore;
  /** Seals the keys of organizations. */
  readonly secrets: SealingSecrets;
  /** Publishes the next signing key. */
  readonly rotateSigningKey: Change<ScheduledKey>;
  /** Called when a signing key was published. */
  readonly onSigningKey: () => void;
  /** A token with which staff watches a video whatever its state. */
  readonly mintPreview: (playbackId: string) => Promise<MintedToken>;
  /** A token that every admin port accepts for this person. */
  readonly mintStaff: (name: string) => Promise<MintedToken>;
  readonly log: Logger;
};
/** The changes of `PreviewChangeRequest`, by the name of their field. */
type Changes = {
  readonly [C in Exclude<keyof PreviewChangeRequestOut, 'change'>]-?: (
    request: NonNullable<PreviewChangeRequestOut[C]>,
  ) => Change<unknown>;
};

/** Only vdsctl, with the operator's token. */
const operator = ['vdsctl'];
const callers = {
  CreateOrganization: operator,
  RenameOrganization: operator,
  ListOrganizations: operator,
  CreatePublisher: operator,
  UpdatePublisher: operator,
  SetSuspension: operator,
  GetPublisher: operator,
  ListPublishers: operator,
  IssueKey: operator,
  RotateKey: operator,
  RevokeKey: operator,
  GetKey: operator,
  ListKeys: operator,
  SetLimits: operator,
  RotateSigningKey: operator,
  MintPreviewToken: operator,
  AddStaff: operator,
  RevokeStaff: operator,
  ListStaff: operator,
  ExchangeStaffToken: operator,
  PreviewChange: operator,
  ListAudit: operator,
};

/** The admin service. */
export function authAdmin(deps: Deps): Served {
  const { store, log, onSigningKey } = deps;
  const changes = createChanges(deps);
  const commit = async <T>(change: Change<T>, by: By, call: Call): Promise<T> => {
    const checked = checkActor(by, call);
    const { value, entry } = await commitChange(store.pool, checked, change);
    const { action, publisherId, keyId, newKeyId } = entry;
    const ids = { publisher_id: publisherId, key_id: keyId, new_key_id: newKeyId };
    log.info({ action, ...ids, actor: checked.actor }, 'admin change committed');
    return value;
  };
  return service<AuthAdminHandlers>(
    auth.AuthAdmin.service,
    callers,
    {
      ...reads(store),
      CreateOrganization: async (request, call) =>
        organizationMessage(await commit(changes.createOrganization(request), request, call)),
      RenameOrganization: async (request, call) =>
        organizationMessage(await commit(changes.renameOrganization(request), request, call)),
      CreatePublisher: async (request, call) =>
        publisherMessage(await commit(changes.createPublisher(request), request, call)),
      UpdatePublisher: async (request, call) =>
        publisherMessage(await commit(changes.updatePublisher(request), request, call)),
      SetSuspension: async (request, call) =>
        publisherMessage(await commit(changes.setSuspension(request), request, call)),
      IssueKey: async (request, call) => newKeyMessage(await commit(changes.issueKey(request), request, call)),
      RotateKey: async (request, call) => newKeyMessage(await commit(changes.rotateKey(request), request, call)),
      RevokeKey: async (request, call) => keyMessage(await commit(changes.revokeKey(request), request, call)),
      SetLimits: async (request, call) => keyMessage(await commit(changes.setLimits(request), request, call)),
      RotateSigningKey: async (request, call) => {
        const { kid, publishedAt, signsFrom } = await commit(changes.rotateSigningKey(), request, call);
        onSigningKey();
        return { kid, publishedAt: iso(publishedAt), signsFrom: iso(signsFrom) };
      },
      ...staffMethods(deps, changes, commit),
      PreviewChange: async (request, call) => {
        const { change, by } = previewed(changes, request);
        checkActor(by, call);
        const { action, was, became } = await previewChange(store.pool, change);
        return { action, was, became };
      },
    },
    { AddStaff: () => true, ListStaff: () => true },
  );
}

type Commit = <T>(change: Change<T>, by: By, call: Call) => Promise<T>;

/** What staff sees with, and who staff is. */
function staffMethods({ mintPreview, mintStaff }: Deps, changes: ReturnType<typeof createChanges>, commit: Commit) {
  return {
    MintPreviewToken: async (request, call) => {
      const { playbackId, videoId } = request;
      const minted = await mintPreview(playbackId);
      const became = `video ${videoId} until ${iso(minted.expiresAtMs)}`;
      await commit(
        async () => ({ value: undefined, entry: { action: 'video preview', was: '', became } }),
        request,
        call,
      );
      return minted;
    },
    AddStaff: async (request, call) => {
      const { member, token } = await commit(changes.addStaff(request), request, call);
      return { member: staffMessage(member), token };
    },
    RevokeStaff: async (request, call) => staffMessage(await commit(changes.revokeStaff(request), request, call)),
    ExchangeStaffToken: async (_request, { staff }) => {
      if (staff === undefined) throw new AppError('PERMISSION_DENIED', 'only a personal token can be exchanged');
      return { name: staff, ...(await mintStaff(staff)) };
    },
  } satisfies Partial<Methods<AuthAdminHandlers>>;
}

function createChanges({ store: { peppers }, secrets, rotateSigningKey }: Deps) {
  return {
    createOrganization: ({ name }) => createOrganization(secrets, name),
    renameOrganization: ({ organizationId, name }) => renameOrganization(organizationId, name),
    createPublisher: (request) => createPublisher(secrets, request),
    updatePublisher: ({ publisherId, ...names }) => renamePublisher(secrets, publisherId, names),
    setSuspension: ({ publisherId, suspended }) => setSuspension(publisherId, suspended),
    issueKey: ({ publisherId, scopes, ...settings }) => issueKey(peppers, publisherId, scopes, settings),
    rotateKey: ({ keyId }) => rotateKey(peppers, keyId),
    revokeKey: ({ keyId }) => revokeKey(keyId),
    setLimits: ({ keyId, ...limits }) => setLimits(keyId, limits),
    rotateSigningKey: () => rotateSigningKey,
    addStaff: ({ name }) => addStaff(name),
    revokeStaff: ({ name }) => revokeStaff(name),
  } satisfies Changes;
}

/** Actor and reason of a change. INVALID_ARGUMENT for text that the audit must not contain. */
function checkActor({ actor, reason }: By, call: Call): By {
  rejectKeys(`${actor} ${reason}`);
  return checkBy({ actor, reason }, call);
}

/** The requested change and who requests it. INVALID_ARGUMENT for none. */
function previewed(
  changes: Changes,
  request: PreviewChangeRequestOut,
): { readonly by: By; readonly change: Change<unknown> } {
  for (const [name, change] of Object.entries(changes)) {
    const inner = request[name as keyof Changes];
    if (inner) return { by: inner, change: (change as (inner: By) => Change<unknown>)(inner) };
  }
  throw new AppError('INVALID_ARGUMENT', 'name the change to preview');
}

function reads(store: KeyStore) {
  const { pool, prisma } = store;
  return {
    ListOrganizations: async () => ({ organizations: (await listOrganizations(prisma)).map(organizationMessage) }),
    GetPublisher: async ({ publisherId }) => publisherMessage(await findPublisher(pool, publisherId)),
    ListStaff: async () => ({ staff: (await listStaff(prisma)).map(staffMessage) }),
    ListPublishers: async () => ({ publishers: (await listPublishers(prisma)).map(publisherMessage) }),
    GetKey: async ({ keyId }) => keyMessage(await findKey(pool, keyId)),
    ListKeys: async ({ publisherId }) => ({ keys: (await listKeys(store, publisherId)).map(keyMessage) }),
    ListAudit: async (request) => {
      const { rows, nextCursor } = await listAudit(prisma, request);
      return { entries: rows.map(auditMessage), nextCursor };
    },
  } satisfies Partial<Methods<AuthAdminHandlers>>;
}

function newKeyMessage({ row, secretKey }: NewKey) {
  return { key: keyMessage(row), secretKey };
}

function keyMessage(row: KeyRow): Key {
  const { id, publisherId, scopes, minuteLimit, dailyLimit, budgetId, label, createdAt, revokedAt } = row;
  const times = { createdAt: createdAt.toISOString(), ...(revokedAt && { revokedAt: revokedAt.toISOString() }) };
  return { id, publisherId, scopes, minuteLimit, dailyLimit, budgetId, label, ...times };
}

function organizationMessage({ id, name, createdAt }: OrganizationRow) {
  return { id, name, createdAt: createdAt.toISOString() };
}

function publisherMessage({ createdAt, suspendedAt, ...publisher }: PublisherRow): Publisher {
  const suspension = suspendedAt && { suspendedAt: suspendedAt.toISOString() };
  return { ...publisher, createdAt: createdAt.toISOString(), ...suspension };
}

function staffMessage({ name, createdAt, revokedAt }: StaffRow) {
  return { name, createdAt: createdAt.toISOString(), ...(revokedAt && { revokedAt: revokedAt.toISOString() }) };
}

function auditMessage({ at, publisherId, keyId, newKeyId, ...row }: AuditPage['rows'][number]): AuditEntry {
  const { actor, action, was, became, reason } = row;
  return {
    ...{ at: at.toISOString(), actor, action, was, became, reason },
    ...(publisherId !== null && { publisherId }),
    ...(keyId !== null && { keyId }),
    ...(newKeyId !== null && { newKeyId }),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
