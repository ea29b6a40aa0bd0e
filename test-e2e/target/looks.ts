/** Looking at something all the time: looks begin at a steady pace, whatever the answers take. */
import { setInterval } from 'node:timers/promises';

/** Beyond this many unanswered looks one is left out: a busy house is asked, not drowned. */
const mostOpen = 16;

export type Looks = {
  /** Begun and left-out looks, and the sum of what they saw. */
  readonly told: () => { readonly begun: number; readonly skipped: number; readonly seen: number };
  /** Begins no more looks and waits for those that are open. @throws what a look threw */
  readonly end: () => Promise<void>;
};

/**
 * Begins to look.
 * @param everyMs from the beginning of one look to that of the next, in milliseconds
 * @param look how many were seen that should not be there
 */
export const beginLooks = (everyMs: number, look: () => Promise<number>): Looks => {
  const stop = new AbortController();
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let begun = 0;
  let skipped = 0;
  let seen = 0;
  const begin = (): void => {
    begun += 1;
    const one = look()
      .then(
        (count) => void (seen += count),
        (failure: unknown) => void failures.push(failure),
      )
      .finally(() => open.delete(one));
    open.add(one);
  };
  const ticking = (async () => {
    for await (const _ of setInterval(everyMs)) {
      if (stop.signal.aborted) return;
      if (open.size < mostOpen) begin();
      else skipped += 1;
    }
  })();
  return {
    told: () => ({ begun, skipped, seen }),
    end: async () => {
      stop.abort();
      await ticking;
      await Promise.all(open);
      if (failures.length > 0) throw new Error(`${failures.length} looks failed`, { cause: failures[0] });
    },
  };
};
