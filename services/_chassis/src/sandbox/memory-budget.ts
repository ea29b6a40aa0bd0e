/**
 * The programs of a process together never take more memory than its container leaves them, or the kernel would kill the
 * container with the work of everybody in it. A program starts once its limit fits beside those of the running ones.
 */
export type MemoryBudget = {
  /**
   * Waits, in the order of the calls, until so much is free.
   * @returns how much was taken, at most all of it, and what gives it back
   * @throws the signal's reason when it aborts
   */
  readonly take: (
    bytes: number,
    signal: AbortSignal,
  ) => Promise<{ readonly bytes: number; readonly release: () => void }>;
};

type Waiting = { readonly bytes: number; readonly start: () => void };

/** @param total of all programs together; Infinity: whatever the machine has */
export function createMemoryBudget(total = Infinity): MemoryBudget {
  let free = total;
  const queue: Waiting[] = [];

  const startNext = (): void => {
    for (let [next] = queue; next && next.bytes <= free; [next] = queue) {
      queue.shift();
      free -= next.bytes;
      next.start();
    }
  };
  const turn = (bytes: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiting), 1);
        reject(signal.reason as Error);
        startNext();
      };
      const start = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting = { bytes, start };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.push(waiting);
      startNext();
    });
  return {
    take: async (wanted, signal) => {
      signal.throwIfAborted();
      const bytes = Math.min(wanted, total);
      if (total === Infinity) return { bytes, release: () => {} };
      await turn(bytes, signal);
      const release = (): void => {
        free += bytes;
        startNext();
      };
      return { bytes, release };
    },
  };
}
