/**
 * Who may run in this process: any number of jobs together, or one alone. A job that waits to be alone keeps others from
 * starting, so that it cannot be starved.
 */

/** Ends a stay; calling it twice is harmless. */
export type Leave = () => void;
type Waiting = { readonly start: () => void };

export type Occupancy = ReturnType<typeof createOccupancy>;

export function createOccupancy() {
  let together = 0;
  let alone = false;
  const waitingAlone = new Set<Waiting>();
  const waitingTogether = new Set<Waiting>();

  const next = (): void => {
    if (alone) return;
    const [first] = waitingAlone;
    if (first && together === 0) {
      alone = true;
      start(waitingAlone, first);
    }
    if (first) return;
    for (const waiting of waitingTogether) {
      together += 1;
      start(waitingTogether, waiting);
    }
  };

  /** A stay that ends once. */
  const leaving = (end: () => void): Leave => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      end();
      next();
    };
  };

  return {
    /** Waits until nobody is alone or waits to be. */
    enter: async (): Promise<Leave> => {
      const entered = join(waitingTogether);
      next();
      await entered;
      return leaving(() => void (together -= 1));
    },
    /** Waits until everybody has left; undefined when `signal` aborts before. */
    enterQuarantine: async (signal: AbortSignal): Promise<Leave | undefined> => {
      const entered = join(waitingAlone, signal);
      next();
      if (await entered) return leaving(() => void (alone = false));
      next();
      return undefined;
    },
  };
}

function start(line: Set<Waiting>, waiting: Waiting): void {
  line.delete(waiting);
  waiting.start();
}

/** Waits in a line; false where `signal` aborts before the start. */
function join(line: Set<Waiting>, signal?: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (signal?.aborted) return Promise.resolve(false);
  const waiting: Waiting = { start: () => resolve(true) };
  line.add(waiting);
  signal?.addEventListener('abort', () => line.delete(waiting) && resolve(false), { once: true });
  return promise;
}
