/**
 * Deadlines measure stalls, not queueing: a try ends when its job has made no progress for its stall time. Time while
 * the queue is paused does not count, nor do clock jumps or a suspended machine, beyond two ticks.
 */
const MAX_TICK_MS = 5_000;

type Options = {
  /** Whether the queue is paused because a dependency of its jobs is unavailable. */
  readonly isPaused: () => boolean;
  readonly onStall: (stallMs: number) => void;
};
export type StallTimer = ReturnType<typeof createStallTimer>;

export function createStallTimer({ isPaused, onStall }: Options) {
  let stalledMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearInterval(timer);
  return {
    start: (stallMs: number): void => {
      stop();
      const tickMs = Math.min(MAX_TICK_MS, stallMs / 4);
      let last = performance.now();
      const tick = (): void => {
        const now = performance.now();
        if (!isPaused()) stalledMs += Math.min(now - last, 2 * tickMs);
        last = now;
        if (stalledMs < stallMs) return;
        stop();
        onStall(stallMs);
      };
      timer = setInterval(tick, tickMs);
    },
    reset: (): void => void (stalledMs = 0),
    stop,
  };
}
