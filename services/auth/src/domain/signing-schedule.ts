/**
 * Which signing key signs at a given time, which ones the key set contains, and when one may be deleted. A new key is
 * published first and signs only once every verifier must have fetched it; its predecessor stays published until the
 * last token that it signed has expired.
 */
import { AppError } from '@vds/chassis/errors';

export type ScheduledKey = {
  readonly kid: string;
  /** Milliseconds since the epoch. */
  readonly publishedAt: number;
  /** Milliseconds since the epoch; never before `publishedAt`. */
  readonly signsFrom: number;
};

/**
 * The key that signs at `now`: the latest to have started. The very first key also signs before its start, which can
 * only be due to clock skew between machines.
 * @throws AppError UNAVAILABLE when there is none
 */
export function signerAt<K extends ScheduledKey>(keys: readonly K[], now: number): K {
  const ordered = keys.toSorted(bySignsFrom);
  const signer = ordered.findLast((key) => key.signsFrom <= now) ?? ordered[0];
  if (!signer) throw new AppError('UNAVAILABLE', 'there is no signing key');
  return signer;
}

function bySignsFrom(a: ScheduledKey, b: ScheduledKey): number {
  return a.signsFrom - b.signsFrom || (a.kid < b.kid ? -1 : 1);
}

/** The keys that verifiers need at `now`, newest first: all that are not retired. */
export function publishedKeys<K extends ScheduledKey>(
  keys: readonly K[],
  now: number,
  retireAfterMs: number,
): readonly K[] {
  return keys
    .filter((key) => (retiresAt(keys, key.kid, retireAfterMs) ?? Infinity) > now)
    .toSorted(bySignsFrom)
    .toReversed();
}

/**
 * When a key leaves the set: `retireAfterMs` after its successor starts to sign; null while it has no successor.
 * @param retireAfterMs maximum lifetime of a token, plus the clock skew that verifiers allow
 */
export function retiresAt(keys: readonly ScheduledKey[], kid: string, retireAfterMs: number): number | null {
  const ordered = keys.toSorted(bySignsFrom);
  const successor = ordered[ordered.findIndex((key) => key.kid === kid) + 1];
  return successor ? successor.signsFrom + retireAfterMs : null;
}

/**
 * The schedule of a new key that is published at `now`. The very first key signs at once: no verifier holds an older set.
 * @param jwksMaxAgeMs how long a verifier may cache a set; the new key waits twice as long
 * @throws AppError FAILED_PRECONDITION while an earlier new key is still pending
 */
export function scheduleNext(
  keys: readonly ScheduledKey[],
  now: number,
  jwksMaxAgeMs: number,
): Omit<ScheduledKey, 'kid'> {
  const pending = keys.find((key) => key.signsFrom > now);
  if (pending)
    throw new AppError(
      'FAILED_PRECONDITION',
      `signing key ${pending.kid} is already published and signs from ${new Date(pending.signsFrom).toISOString()}; rotate again after that`,
    );
  return { publishedAt: now, signsFrom: keys.length === 0 ? now : now + 2 * jwksMaxAgeMs };
}
