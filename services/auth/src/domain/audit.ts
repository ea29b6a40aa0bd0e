/** What the audit keeps of a change: what it was and became, in words. */
import { AppError } from '@vds/chassis/errors';
import type { Limits } from './key-settings.ts';
import type { PublisherNames } from './publisher.ts';

/** What was changed; never the text of a key. */
export type Entry = {
  readonly action: string;
  readonly publisherId?: string;
  readonly keyId?: string;
  readonly newKeyId?: string;
  readonly was: string;
  readonly became: string;
};

const WHOLE_KEY = /svc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}/;

/** INVALID_ARGUMENT for a text of the audit that holds a key. */
export function rejectKeys(text: string): void {
  if (WHOLE_KEY.test(text)) throw new AppError('INVALID_ARGUMENT', 'neither actor nor reason may hold a key');
}

export function describeLimits({ minuteLimit, dailyLimit }: Limits): string {
  return `${minuteLimit} per minute, ${dailyLimit} per day`;
}

export function describeNames({ name, organization }: PublisherNames): string {
  return `'${name}' of '${organization}'`;
}
