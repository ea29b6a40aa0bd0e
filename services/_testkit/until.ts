/** Polls for a condition, or for the end of a time: the only waits that tests use. */
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@vds/chassis/errors';

export type UntilOptions = {
  /** The awaited condition, for the error message. */
  what: string;
  /** Longest wait in milliseconds; generous, because it is only reached when the test fails. */
  capMs?: number;
  /** Pause between two polls in milliseconds. */
  everyMs?: number;
  /** Ends the wait when it aborts, with its reason as the error. */
  signal?: AbortSignal | undefined;
};

/**
 * Calls `check` until it returns a truthy value, and returns that value. A check that throws counts as "not yet"; its
 * last error is the cause of the failure after `capMs` (default 30 s).
 */
export async function until<T>(
  check: () => T | Promise<T>,
  { what, capMs = 30_000, everyMs = 25, signal }: UntilOptions,
): Promise<Exclude<Awaited<T>, false | null | undefined | 0 | ''>> {
  const deadline = performance.now() + capMs;
  let last: unknown;
  let cause: unknown;
  for (;;) {
    try {
      last = await check();
      cause = undefined;
      if (last) return last as Exclude<Awaited<T>, false | null | undefined | 0 | ''>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline) break;
    await pause(everyMs, undefined, { signal });
  }
  const seen = cause === undefined ? `last answer ${JSON.stringify(last)}` : `last error: ${messageOf(cause)}`;
  throw new Error(`${what}: not within ${capMs} ms (${seen})`, { cause });
}

/** Resolves after the length of a fault, or of a time in which nothing may happen. */
export async function lasts(ms: number): Promise<void> {
  const end = performance.now() + ms;
  await until(() => performance.now() >= end, { what: `the end of ${ms} ms`, capMs: ms + 60_000, everyMs: 100 });
}
