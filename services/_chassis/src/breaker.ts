/**
 * A circuit breaker (Nygard, Release It!): it opens after failures of three different keys in a row, and any success
 * closes it. While it is open, one probe is let through after each pause; pauses grow with every failed probe. A probe
 * may run for hours, or hang: the next one waits at most one pause for it.
 */

/** Failures in a row that open it, each of a different key. */
const FAILURES_TO_OPEN = 3;
/** The pause doubles up to this multiple of the first one: with 5 s, recovery is noticed within 20 s. */
const MAX_PAUSE = 4;

export type BreakerOptions = {
  /** Milliseconds between opening and the first probe. */
  readonly firstPauseMs: number;
  /** Milliseconds on a monotonic clock. */
  readonly now?: () => number;
  readonly onChange?: (open: boolean) => void;
};
export type Breaker = ReturnType<typeof createBreaker>;

export function createBreaker({ firstPauseMs, now = () => performance.now(), onChange = () => {} }: BreakerOptions) {
  let failing: readonly string[] = [];
  let open: { readonly pauseMs: number; readonly until: number } | undefined;
  let openedAt = 0;
  let probeUntil = -Infinity;

  const pauseFor = (pauseMs: number): void => void (open = { pauseMs, until: now() + pauseMs });

  return {
    isOpen: (): boolean => open !== undefined,
    /** For how many milliseconds it has been open; 0 while it is closed. */
    openForMs: (): number => (open ? now() - openedAt : 0),
    /** `closed`: go ahead; `probe`: go ahead and call `probeEnded` afterwards; else how many milliseconds to wait. */
    admit: (): 'closed' | 'probe' | number => {
      if (!open) return 'closed';
      const leftMs = Math.max(open.until, probeUntil) - now();
      if (leftMs > 0) return leftMs;
      probeUntil = now() + open.pauseMs;
      return 'probe';
    },
    probeEnded: (): void => void (probeUntil = -Infinity),
    succeeded: (): void => {
      failing = [];
      if (!open) return;
      open = undefined;
      onChange(false);
    },
    /** @param isProbe lengthens the pause; failures of earlier work do not */
    failed: (key: string, isProbe: boolean): void => {
      if (open) {
        if (isProbe && now() >= open.until) pauseFor(Math.min(2 * open.pauseMs, MAX_PAUSE * firstPauseMs));
        return;
      }
      if (!failing.includes(key)) failing = [...failing, key];
      if (failing.length < FAILURES_TO_OPEN) return;
      openedAt = now();
      pauseFor(firstPauseMs);
      onChange(true);
    },
  };
}
