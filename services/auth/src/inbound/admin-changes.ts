/** The requests of AuthAdmin that change something, as changes: made with their audit, or only foreseen. */
import type { CreatePublisherRequestOut } from '@vds/proto/generated/vds/auth/v1/CreatePublisherRequest.ts';
import type { ForeseeChangeRequestOut } from '@vds/proto/generated/vds/auth/v1/ForeseeChangeRequest.ts';
import type { IssueKeyRequestOut } from '@vds/proto/generated/vds/auth/v1/IssueKeyRequest.ts';
import type { RevokeKeyRequestOut } from '@vds/proto/generated/vds/auth/v1/RevokeKeyRequest.ts';
import type { RotateKeyRequestOut } from '@vds/proto/generated/vds/auth/v1/RotateKeyRequest.ts';
import type { SetLimitsRequestOut } from '@vds/proto/generated/vds/auth/v1/SetLimitsRequest.ts';
import type { UpdatePublisherRequestOut } from '@vds/proto/generated/vds/auth/v1/UpdatePublisherRequest.ts';
import type { By } from '@vds/chassis/database/audit';
import { AppError } from '@vds/chassis/errors';
import type { ScheduledKey } from '../domain/signing-schedule.ts';
import type { Change } from '../outbound/audit.ts';
import { issueKey, revokeKey, rotateKey, setLimits } from '../outbound/key-changes.ts';
import type { KeyStore } from '../outbound/keys.ts';
import { createPublisher, renamePublisher } from '../outbound/publishers.ts';
export type AdminChanges = ReturnType<typeof adminChanges>;

/** @param rotateSigningKey publishes the next signing key */
export function adminChanges({ peppers }: KeyStore, rotateSigningKey: Change<ScheduledKey>) {
  return {
    createPublisher: ({ name, organization }: CreatePublisherRequestOut) => createPublisher({ name, organization }),
    updatePublisher: ({ publisherId, name, organization }: UpdatePublisherRequestOut) =>
      renamePublisher(publisherId, { name, organization }),
    issueKey: ({ publisherId, scopes, minuteLimit, dailyLimit }: IssueKeyRequestOut) =>
      issueKey(peppers, publisherId, scopes, { minuteLimit, dailyLimit }),
    rotateKey: ({ keyId }: RotateKeyRequestOut) => rotateKey(peppers, keyId),
    revokeKey: ({ keyId }: RevokeKeyRequestOut) => revokeKey(keyId),
    setLimits: ({ keyId, minuteLimit, dailyLimit }: SetLimitsRequestOut) =>
      setLimits(keyId, { minuteLimit, dailyLimit }),
    rotateSigningKey: () => rotateSigningKey,
  };
}

/** The change that is asked about, and who asks. INVALID_ARGUMENT for none. */
export function askedChange(
  changes: AdminChanges,
  asked: ForeseeChangeRequestOut,
): { readonly by: By; readonly change: Change<unknown> } {
  for (const [name, make] of Object.entries(changes)) {
    const request = asked[name as keyof AdminChanges];
    if (request) return { by: request, change: (make as (given: By) => Change<unknown>)(request) };
  }
  throw new AppError('INVALID_ARGUMENT', 'name the change to foresee');
}
