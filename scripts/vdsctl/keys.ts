/** Keys as they are named and shown. */
import type { KeyOut } from '@vds/proto/generated/vds/auth/v1/Key.ts';
import { AppError } from '@vds/chassis/errors';
import { facts } from './output.ts';

const ADVICE = 'give the id of the key (its 24 characters after svc_live_), never the key itself';

/** The id of a key. INVALID_ARGUMENT for what begins as a key does. */
export function keyId(given: string): string {
  if (given.includes('svc_live_')) throw new AppError('INVALID_ARGUMENT', ADVICE);
  return given;
}

/** Arguments can be seen by others on the machine: one that holds a whole key is refused, whatever it is for. */
export function refuseKeys(given: readonly string[]): void {
  if (given.some((argument) => /svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}/.test(argument)))
    throw new AppError('INVALID_ARGUMENT', `${ADVICE}; replace that key: others on this machine may have seen it`);
}

export function describeKey(key: KeyOut): string {
  return facts([
    ['key', key.id],
    ['publisher', key.publisherId],
    ['scopes', key.scopes.join(' ')],
    ['requests per minute', key.minuteLimit],
    ['ingests per day', key.dailyLimit],
    ['day budget', key.budgetId],
    ['created', key.createdAt],
    ['revoked', key.revokedAt],
  ]);
}
