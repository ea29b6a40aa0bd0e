/**
 * When a stage fails by itself. Both limits measure what its jobs do, never how long they wait for a slot: standstill
 * while a job is held, and the work of all tries. Times are sums of bounded increments of a process's monotonic clock,
 * so that neither a backlog nor a clock that leaps can spend them.
 */

/** Limits of one stage, in milliseconds. */
export type StageLimits = {
  /** Longest time without any progress while one of its jobs runs, or is ready beside an idle worker. */
  readonly stallMs: number;
  /** Most work of its jobs together; tries that were cut short or failed by a dependency do not count. */
  readonly budgetMs: number;
};

/** For how long a stage has shown the same `mark`, which changes with every progress of any of its jobs. */
export type Stall = { readonly mark: string; readonly ms: number };

/** The configured limits, with a budget of at least `times` the duration of the video in milliseconds. */
export function limitsFor({ stallMs, budgetMs }: StageLimits, durationMs: number, times: number): StageLimits {
  return { stallMs, budgetMs: Math.max(budgetMs, times * durationMs) };
}

/**
 * The part of a tick that counts, in milliseconds. A pause of the whole process (SIGSTOP, a suspended machine) counts as
 * two ticks at most: its jobs did not stand still, they did not run.
 */
export function countedMs(elapsedMs: number, tickMs: number): number {
  return Math.max(0, Math.min(elapsedMs, 2 * tickMs));
}

/** The standstill after another observation of the stage. */
export function observe(before: Stall | undefined, mark: string, elapsedMs: number): Stall {
  return before?.mark === mark ? { mark, ms: before.ms + elapsedMs } : { mark, ms: 0 };
}

/** Which limit a stage has passed; undefined while it may go on. */
export function passedLimit(
  limits: StageLimits,
  { stalledMs, workedMs }: { readonly stalledMs: number; readonly workedMs: number },
): 'stalled' | 'over_budget' | undefined {
  if (stalledMs > limits.stallMs) return 'stalled';
  return workedMs > limits.budgetMs ? 'over_budget' : undefined;
}
