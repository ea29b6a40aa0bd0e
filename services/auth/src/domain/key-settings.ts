/** What an API key may do and how often: scopes (spec §5) and limits (spec §8). */
import { AppError } from '@vds/chassis/errors';

export const SCOPES = ['videos:read', 'videos:write'] as const;

/** Requests per minute and ingest requests per day of a key that was given no others (spec §8). */
export const DEFAULT_LIMITS = { minuteLimit: 60, dailyLimit: 500 } as const;

// The window of a key is one row with one time per admitted request: measured to 2,500 decisions a second at 6,000.
const MOST_PER_MINUTE = 10_000;
const MOST_PER_DAY = 1_000_000;

export type Limits = { readonly minuteLimit: number; readonly dailyLimit: number };
export type GivenLimits = { readonly [L in keyof Limits]: number | undefined };

/**
 * Known scopes, each once, in the order of `SCOPES`.
 * @throws AppError INVALID_ARGUMENT for none, or for one that does not exist
 */
export function checkScopes(given: readonly string[]): readonly string[] {
  const unknown = given.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw new AppError('INVALID_ARGUMENT', `there is no scope '${unknown}'; the scopes are ${SCOPES.join(' and ')}`);
  if (given.length === 0)
    throw new AppError('INVALID_ARGUMENT', `a key needs at least one scope; the scopes are ${SCOPES.join(' and ')}`);
  return SCOPES.filter((scope) => given.includes(scope));
}

/**
 * Passes on those limits that were given, when they are in range.
 * @throws AppError INVALID_ARGUMENT
 */
export function checkLimits({ minuteLimit, dailyLimit }: GivenLimits): Partial<Limits> {
  checkLimit('minute limit', minuteLimit, MOST_PER_MINUTE);
  checkLimit('daily limit', dailyLimit, MOST_PER_DAY);
  return { ...(minuteLimit !== undefined && { minuteLimit }), ...(dailyLimit !== undefined && { dailyLimit }) };
}

function checkLimit(name: string, value: number | undefined, most: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < 1 || value > most)
    throw new AppError('INVALID_ARGUMENT', `the ${name} must be a whole number from 1 to ${most}, got ${value}`);
}
