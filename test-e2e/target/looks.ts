/** Looking at something all the time: looks begin at a steady pace, whatever the answers take. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Beyond this many unanswered looks one is left out: a busy stack is asked, not drowned. */
const mostOpen = 100;

export type Told = {
  /** How many looks were begun. */
  readonly begun: number;
  /** How many were left out since too many were unanswered. */
  readonly skipped: number;
  /** The sum of what the looks saw. */
  readonly seen: number;
  /** From the first moment to the last, in milliseconds. */
  readonly lastedMs: number;
  /** The longest time between the beginnings of two looks, in milliseconds. */
  readonly longestMs: number;
};

export type Looks = {
  /** Begins no more looks and waits for those that are open. @throws what a look threw */
  readonly end: () => Promise<Told>;
};

/**
 * Begins to look. A look that is late does not move the next one.
 * @param everyMs from the beginning of one look to that of the next, in milliseconds
 * @param look how many were seen that should not be there
 */
export function beginLooks(everyMs: number, look: () => Promise<number>): Looks {
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const told = { begun: 0, skipped: 0, seen: 0, longestMs: 0 };
  const from = performance.now();
  let ended = false;
  let last = from;
  const begin = (): void => {
    const now = performance.now();
    told.longestMs = Math.max(told.longestMs, now - last);
    last = now;
    told.begun += 1;
    const one = look()
      .then(
        (count) => void (told.seen += count),
        (failure: unknown) => void failures.push(failure),
      )
      .finally(() => open.delete(one));
    open.add(one);
  };
  const ticking = (async () => {
    for (let next = from; !ended; next = Math.max(next + everyMs, performance.now() - everyMs)) {
      await sleep(Math.max(0, next - performance.now()));
      if (open.size < mostOpen) begin();
      else told.skipped += 1;
    }
  })();
  return {
    end: async () => {
      ended = true;
      await ticking;
      const lastedMs = performance.now() - from;
      await Promise.all(open);
      if (failures.length > 0) throw new Error(`${failures.length} looks failed`, { cause: failures[0] });
      return { ...told, lastedMs };
    },
  };
}
