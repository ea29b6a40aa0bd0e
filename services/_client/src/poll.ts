/** When to poll a video's status (spec §6). */
const firstDelaysMs = [10_000, 20_000, 40_000, 80_000] as const;
const MAX_DELAY_MS = 120_000;

const final = new Set(['ready', 'archived', 'failed', 'deleted']);

/**
 * The delay before a poll.
 * @param attempt 1 for the first poll
 * @returns milliseconds
 */
export function pollDelayMs(attempt: number): number {
  return firstDelaysMs[attempt - 1] ?? MAX_DELAY_MS;
}

/** Whether polling stops at this status. */
export function isFinal(status: string): boolean {
  return final.has(status);
}
