/** Polls at a steady pace, however long the responses take. */
import { setTimeout as sleep } from 'node:timers/promises';

export type PollResult = {
  readonly polls: number;
  /** The sum of the polls' results. */
  readonly seen: number;
  /** From the first start to the last, in milliseconds. */
  readonly durationMs: number;
  /** The longest time between the starts of two polls, in milliseconds. */
  readonly longestGapMs: number;
};

export type Poller = {
  /** Starts no more polls and waits for pending ones. @throws what a poll threw */
  readonly end: () => Promise<PollResult>;
};

/**
 * Starts polling. A late poll does not delay the next one, unless too many are pending: a busy stack is not overloaded.
 * @param everyMs between the starts of two polls, in milliseconds
 * @param maxOpen how many polls may be pending
 * @param poll returns how many unexpected items it found
 */
export function startPolling(everyMs: number, maxOpen: number, poll: () => Promise<number>): Poller {
  const open = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const result = { polls: 0, seen: 0, longestGapMs: 0 };
  const from = performance.now();
  let ended = false;
  let last = from;
  const begin = (): void => {
    const now = performance.now();
    result.longestGapMs = Math.max(result.longestGapMs, now - last);
    last = now;
    result.polls += 1;
    const one = poll()
      .then(
        (count) => void (result.seen += count),
        (failure: unknown) => void failures.push(failure),
      )
      .finally(() => open.delete(one));
    open.add(one);
  };
  const ticking = (async () => {
    for (let next = from; !ended; next = Math.max(next + everyMs, performance.now() - everyMs)) {
      await sleep(Math.max(0, next - performance.now()));
      if (open.size < maxOpen) begin();
    }
  })();
  return {
    end: async () => {
      ended = true;
      await ticking;
      const durationMs = performance.now() - from;
      await Promise.all(open);
      if (failures.length > 0) throw new Error(`${failures.length} polls failed`, { cause: failures[0] });
      return { ...result, durationMs };
    },
  };
}
