/** The time that a fetch waits for its source; time that it waits for the bucket or the database is not the source's. */
import { timed } from '@vds/chassis/work/phases';
import { sourceFault } from '../domain/source-fault.ts';

export type SourceClock = ReturnType<typeof startSourceClock>;

/**
 * @param budgetMs how long the fetch may still wait for its source
 * @param outer ends every wait
 */
export function startSourceClock(budgetMs: number, outer: AbortSignal) {
  const spent = new AbortController();
  const signal = AbortSignal.any([outer, spent.signal]);
  let waitedMs = 0;
  let readMs = 0;
  return {
    /** Aborts with total_timeout once the budget is spent, and with `outer`. */
    signal,
    /** Milliseconds waited since the start. */
    waited: (): number => Math.round(waitedMs),
    /** Milliseconds waited since the last call. */
    lap: (): number => {
      const lapMs = waitedMs - readMs;
      readMs = waitedMs;
      return Math.round(lapMs);
    },
    /** Runs `work`, which waits for the source. @throws total_timeout, or the reason of `outer`, as soon as it aborts */
    wait: async <T>(work: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted();
      const began = performance.now();
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => spent.abort(sourceFault('total_timeout')), Math.max(0, budgetMs - waitedMs));
      try {
        return await timed('fetch', () => Promise.race([work(), aborted.promise]));
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        waitedMs += performance.now() - began;
      }
    },
  };
}
