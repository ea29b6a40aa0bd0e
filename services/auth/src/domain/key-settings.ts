/** What an API key may do and how often: scopes (spec §5) and limits (spec §8). */
import { AppError } from '@vds/chassis/errors';

export const SCOPES = ['videos:read', 'videos:write'] as const;

/** Requests per minute and ingest requests per day of a key issued without limits (spec §8). */
export const DEFAULT_LIMITS = { minuteLimit: 60, dailyLimit: 500 } as const;

// A key's window is one row with one timestamp per admitted request: measured 2,500 decisions a second at 6,000.
const MAX_PER_MINUTE = 10_000;
const MAX_PER_DAY = 1_000_000;
const MAX_LABEL = 100;

export type Limits = { readonly minuteLimit: number; readonly dailyLimit: number };
export type OptionalLimits = { readonly [L in keyof Limits]?: number | undefined };

/**
 * Known scopes, each once, in the order of `SCOPES`.
 * @throws AppError INVALID_ARGUMENT for none, or for one that does not exist
 */
export function checkScopes(scopes: readonly string[]): readonly string[] {
  const all = `the scopes are ${SCOPES.join(' and ')}`;
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined) throw new AppError('INVALID_ARGUMENT', `there is no scope '${unknown}'; ${all}`);
  if (scopes.length === 0) throw new AppError('INVALID_ARGUMENT', `a key needs at least one scope; ${all}`);
  return SCOPES.filter((scope) => scopes.includes(scope));
}

/**
 * The limits that are set, when they are in range.
 * @throws AppError INVALID_ARGUMENT
 */
export function checkLimits({ minuteLimit, dailyLimit }: OptionalLimits): Partial<Limits> {
  checkLimit('minute limit', minuteLimit, MAX_PER_MINUTE);
  checkLimit('daily limit', dailyLimit, MAX_PER_DAY);
  return { ...(minuteLimit !== undefined && { minuteLimit }), ...(dailyLimit !== undefined && { dailyLimit }) };
}

function checkLimit(name: string, value: number | undefined, max: number): void {
  if (value === undefined) return;
  if (!Number.isSafeInteger(value) || value < 1 || value > max)
    throw new AppError('INVALID_ARGUMENT', `the ${name} must be a whole number from 1 to ${max}, got ${value}`);
}

/** What a key is for, trimmed; '' for nothing. @throws AppError INVALID_ARGUMENT */
export function checkLabel(label: string): string {
  const text = label.trim();
  if (text.length <= MAX_LABEL && !/\p{Cc}/u.test(text)) return text;
  throw new AppError(
    'INVALID_ARGUMENT',
    `the label must be at most ${MAX_LABEL} characters without control characters`,
  );
}

/** Limits as the audit shows them. */
export function describeLimits({ minuteLimit, dailyLimit }: Limits): string {
  return `${minuteLimit} per minute, ${dailyLimit} per day`;
}
