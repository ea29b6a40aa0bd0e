/** Helpers for promises. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from './errors.ts';

/** Waits `ms`, or until `signal` aborts; resolves either way. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined); // it rejects only when the signal aborts
}

/** The pause after this many failures in a row, in milliseconds: the first one, doubled with each further failure. */
export function backoff(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(30, Math.max(0, failures - 1)));
}

/**
 * The result of `work`, which continues in the background when it is late.
 * @throws Error after `ms`
 */
export async function withTimeout<T>(work: Promise<T> | T, ms: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` once at a time for each key: concurrent calls share the result of the one in progress. */
export function singleFlight<T>(work: (key: string) => Promise<T>): (key?: string) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key = '') => {
    const current = inFlight.get(key) ?? work(key).finally(() => inFlight.delete(key));
    inFlight.set(key, current);
    return current;
  };
}

/**
 * Runs at most `limit` tasks at once and queues `maxQueued` more, which bounds unauthenticated work.
 * @throws UNAVAILABLE when the line is full
 */
export function limitConcurrency(limit: number, maxQueued: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running += 1;
    else if (line.length >= maxQueued) throw new AppError('UNAVAILABLE', 'too many are waiting');
    else await new Promise<void>((resolve) => void line.push(resolve)); // the place of who has finished
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
