/**
 * One crash harms no neighbour: a job that was killed with its process runs alone in one. Any number of jobs run
 * together, or one alone; while one waits to run alone, no other starts.
 */

/** Calling it twice is harmless. */
export type Release = () => void;
export type Occupancy = ReturnType<typeof createOccupancy>;

export function createOccupancy() {
  let shared = 0;
  let isExclusive = false;
  let change = Promise.withResolvers<void>();
  const changed = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const releaseOnce = (end: () => void): Release => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      end();
      changed();
    };
  };
  return {
    /** Waits while a job runs alone or waits to do so. */
    acquireShared: async (): Promise<Release> => {
      while (isExclusive) await change.promise;
      shared += 1;
      return releaseOnce(() => void (shared -= 1));
    },
    /** Waits until no other job runs; undefined when `signal` aborts before. */
    acquireExclusive: async (signal: AbortSignal): Promise<Release | undefined> => {
      signal.addEventListener('abort', changed, { once: true });
      while (isExclusive && !signal.aborted) await change.promise;
      if (signal.aborted) return undefined;
      isExclusive = true;
      const release = releaseOnce(() => void (isExclusive = false));
      while (shared > 0 && !signal.aborted) await change.promise;
      if (!signal.aborted) return release;
      release();
      return undefined;
    },
  };
}
