/** When a request is retried (spec §7). */

/** Waits before the retries of a 5xx, in milliseconds. */
const backoffMs = [1_000, 2_000, 4_000, 8_000, 16_000] as const;
const JITTER = 0.25;

/** The part of a response that decides. */
export type Outcome = {
  readonly status: number;
  readonly code: string;
  /** Of a 429. */
  readonly retryAfterSeconds: number | undefined;
};

export type RetryPolicy = {
  /** A spent day budget resets at 00:00 UTC: the longest wait for it, in seconds; beyond that it is an error. */
  readonly maxDailyWaitSeconds: number;
};

/**
 * Milliseconds to wait before the request is sent again, or undefined when its outcome is final.
 * @param failures how many 5xx (or lost connections) this request has had, including this one
 * @param random a number from 0 to 1, for the jitter of ± 25 %
 */
export function retryDelayMs(
  { status, code, retryAfterSeconds }: Outcome,
  failures: number,
  random: number,
  { maxDailyWaitSeconds }: RetryPolicy,
): number | undefined {
  if (status === 429) {
    if (retryAfterSeconds === undefined) return undefined;
    if (code === 'daily_ingest_limit' && retryAfterSeconds > maxDailyWaitSeconds) return undefined;
    return retryAfterSeconds * 1_000;
  }
  return status >= 500 ? backoffDelayMs(failures, random) : undefined;
}

/** The wait after the given number of failures, or undefined after the last. */
export function backoffDelayMs(failures: number, random: number): number | undefined {
  const base = backoffMs[failures - 1];
  return base === undefined ? undefined : Math.round(base * (1 - JITTER + 2 * JITTER * random));
}
