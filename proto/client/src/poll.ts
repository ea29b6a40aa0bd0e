/** When to look again whether a video is done (spec §6). */
const firstWaitsMs = [10_000, 20_000, 40_000, 80_000] as const;
const CAP_MS = 120_000;

const final = new Set(['ready', 'archived', 'failed', 'deleted']);

/**
 * The wait before a look.
 * @param attempt 1 for the first look
 * @returns milliseconds
 */
export function pollDelayMs(attempt: number): number {
  return firstWaitsMs[attempt - 1] ?? CAP_MS;
}

/** Whether polling stops at this status. */
export function isFinal(status: string): boolean {
  return final.has(status);
}
