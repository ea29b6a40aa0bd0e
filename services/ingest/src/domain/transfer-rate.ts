/** Enforces a minimum rate for a body, counting only the time spent waiting for the source. */
export type RateLimit = { readonly bytesPerSecond: number; readonly windowMs: number };

export type RateWindow = { readonly bytes: number; readonly waitedMs: number };

export const emptyWindow: RateWindow = { bytes: 0, waitedMs: 0 };

/**
 * Adds one read to the window. A full window is checked and restarted.
 * @param waitedMs how long this read waited for the source; time in which we did not read is not the source's fault
 */
export function countRead(
  window: RateWindow,
  bytes: number,
  waitedMs: number,
  limit: RateLimit,
): { readonly window: RateWindow; readonly tooSlow: boolean } {
  const next = { bytes: window.bytes + bytes, waitedMs: window.waitedMs + waitedMs };
  if (next.waitedMs < limit.windowMs) return { window: next, tooSlow: false };
  return { window: emptyWindow, tooSlow: next.bytes < (limit.bytesPerSecond * next.waitedMs) / 1_000 };
}
