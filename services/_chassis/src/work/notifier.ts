/** Wakes idle slots, one of a queue at a time, so that a hundred of them do not query the database at once. */
import { once } from 'node:events';
import { pause } from '../async.ts';

export type Notifier = ReturnType<typeof createNotifier>;

export function createNotifier(stopping: AbortSignal) {
  const idle = new Map<string, Set<AbortController>>();
  const counts = new Map<string, number>();

  return {
    /** Notifications so far; a slot that found no job compares it with its value before the claim. */
    count: (queue: string): number => counts.get(queue) ?? 0,
    /** The queues with a slot that waits. */
    idleQueues: (): string[] => [...idle].flatMap(([queue, slots]) => (slots.size > 0 ? [queue] : [])),
    /** Wakes the slot of the queue that has been idle longest. */
    notify: (queue: string): void => {
      counts.set(queue, (counts.get(queue) ?? 0) + 1);
      const [slot] = idle.get(queue) ?? [];
      slot?.abort();
    },
    /** Waits for a notification, for `ms` if given, or for the end of the process. */
    wait: async (queue: string, ms?: number): Promise<void> => {
      if (stopping.aborted) return;
      const slots = idle.get(queue) ?? new Set();
      idle.set(queue, slots);
      const slot = new AbortController();
      const wake = (): void => slot.abort();
      slots.add(slot);
      slot.signal.addEventListener('abort', () => slots.delete(slot), { once: true });
      stopping.addEventListener('abort', wake, { once: true });
      await (ms === undefined ? once(slot.signal, 'abort') : pause(ms, slot.signal));
      stopping.removeEventListener('abort', wake);
      slots.delete(slot);
    },
  };
}
