/**
 * Keeps the promise that no request fails because a credential expires (design, identities): it is renewed long before,
 * once for all callers, while the old one is still returned. An issuer that is away matters only once the old one ends.
 */
import { backoff, singleFlight } from '../async.ts';
import { messageOf } from '../errors.ts';

export type Expiring<T> = {
  readonly value: T;
  /** How long it is valid from now on, in milliseconds by the issuer's clock. */
  readonly lifeMs: number;
};

export type RenewalOptions = {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Called with why a renewal has failed while the old credential is valid; a warning of the process by default. */
  readonly onLate?: (reason: string) => void;
};

/** Longer than an outage of an issuer that nobody notices. */
const EARLY_MS = 15 * 60_000;
/** A request takes this long to arrive, and is refused if its credential has ended by then. */
const MARGIN_MS = 30_000;
const RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;

/**
 * Returns the current credential.
 * @param what names it in a warning
 * @param load gets a new one; its errors are thrown where there is no valid old one
 */
export function withRenewal<T>(what: string, load: () => Promise<Expiring<T>>, options: RenewalOptions = {}) {
  const { now = () => performance.now(), random = Math.random, onLate = warn } = options;
  let held: { readonly value: T; readonly renewAt: number; readonly endsAt: number } | undefined;
  let [failures, retryAt]: [number, number] = [0, -Infinity];
  let lastError: unknown;
  const renew = singleFlight(async () => {
    const requestedAt = now();
    try {
      const { value, lifeMs } = await load();
      const times = timesOf(lifeMs, random());
      held = { value, renewAt: requestedAt + times.renewAfterMs, endsAt: requestedAt + times.endsAfterMs };
      failures = 0;
      return value;
    } catch (error) {
      failures += 1;
      retryAt = now() + backoff(failures, RETRY_MS, MAX_RETRY_MS) * (0.5 + random() / 2);
      lastError = error;
      throw error;
    }
  });
  return async (): Promise<T> => {
    const isPaused = now() < retryAt;
    if (held === undefined || now() >= held.endsAt) {
      if (isPaused) throw lastError;
      return renew();
    }
    if (now() >= held.renewAt && !isPaused)
      renew().catch((error: unknown) => onLate(`${what} cannot be renewed: ${messageOf(error)}`));
    return held.value;
  };
}

/**
 * When a credential is renewed, and when it is used no longer.
 * @param random from 0 to 1: processes that began together do not renew together
 */
export function timesOf(lifeMs: number, random: number) {
  const earlyMs = Math.min(EARLY_MS, lifeMs / 4) * (1 + random / 3);
  return { renewAfterMs: lifeMs - earlyMs, endsAfterMs: lifeMs - Math.min(MARGIN_MS, lifeMs / 10) };
}

function warn(message: string): void {
  process.emitWarning(message, { code: 'VDS_CREDENTIALS' });
}
