/**
 * Which signing key signs at a moment, which are shown in the key set, and when one may be forgotten. A new key is
 * published first and signs only after every verifier must have fetched it; the old one stays published until the last
 * token it signed has ended.
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
 * The key that signs at `now`: the one that began last. The very first key also signs before its time, which is then
 * only another machine's clock running ahead.
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

/** The keys that verifiers must know at `now`, newest first: all that are not retired. */
export function shownAt<K extends ScheduledKey>(keys: readonly K[], now: number, retireAfterMs: number): readonly K[] {
  return keys
    .filter((key) => (retiresAt(keys, key.kid, retireAfterMs) ?? Infinity) > now)
    .toSorted(bySignsFrom)
    .toReversed();
}

/**
 * When a key leaves the set: `retireAfterMs` after its successor began to sign; null while it has no successor.
 * @param retireAfterMs longest life of a token, plus the clock skew that verifiers allow
 */
export function retiresAt(keys: readonly ScheduledKey[], kid: string, retireAfterMs: number): number | null {
  const ordered = keys.toSorted(bySignsFrom);
  const successor = ordered[ordered.findIndex((key) => key.kid === kid) + 1];
  return successor ? successor.signsFrom + retireAfterMs : null;
}

/**
 * The times of a new key that is published at `now`. The first key of all signs at once, as nobody holds an older set.
 * @param jwksMaxAgeMs how long a verifier may keep a set; the new key waits twice as long
 * @throws AppError FAILED_PRECONDITION while an earlier new key is still waiting
 */
export function scheduleNext(
  keys: readonly ScheduledKey[],
  now: number,
  jwksMaxAgeMs: number,
): { publishedAt: number; signsFrom: number } {
  const waiting = keys.find((key) => key.signsFrom > now);
  if (waiting)
    throw new AppError(
      'FAILED_PRECONDITION',
      `signing key ${waiting.kid} is published already and signs from ${new Date(waiting.signsFrom).toISOString()}; rotate again after that`,
    );
  return { publishedAt: now, signsFrom: keys.length === 0 ? now : now + 2 * jwksMaxAgeMs };
}
