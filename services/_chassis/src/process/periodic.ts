/** Periodic tasks of a process. */
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { pause } from '../async.ts';

/** While a task keeps failing, one failure in so many is logged. */
const LOG_EVERY = 30;

export type PeriodicOptions = {
  readonly log: Logger;
  readonly everyMs: number;
  /** The wait after a failure; `everyMs` unless given. */
  readonly retryMs?: number;
  /** By name; the signal aborts when the tasks are closed. */
  readonly tasks: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
  /** Reports how long each task has been failing, in `vds_task_failing_seconds`; omitted: failures are only logged. */
  readonly metrics?: Metrics;
};

/** Runs each task at once, and again `everyMs` after it has ended. `close` waits for running ones. */
export function startPeriodic(options: PeriodicOptions) {
  const stopping = new AbortController();
  const help = 'How long every run of a periodic task has been failing; 0 once one succeeds';
  const failing = options.metrics?.gauge('vds_task_failing_seconds', help, ['task']);
  const running = Object.entries(options.tasks).map(([task, run]) =>
    repeat(options, task, run, stopping.signal, (seconds) => failing?.set({ task }, seconds)),
  );
  return {
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** @param report is called after each run with how long the task has been failing, in seconds */
async function repeat(
  { log, everyMs, retryMs = everyMs }: PeriodicOptions,
  task: string,
  run: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
  report: (seconds: number) => void,
): Promise<void> {
  let failures = 0;
  let failingSince = 0;
  report(0);
  while (!signal.aborted) {
    try {
      await run(signal);
      failures = 0;
      report(0);
    } catch (error) {
      if (failures === 0) failingSince = performance.now();
      failures += 1;
      report((performance.now() - failingSince) / 1_000);
      if (failures % LOG_EVERY === 1) log.warn({ reason: messageOf(error), task, failures }, 'periodic task failed');
    }
    await pause(failures > 0 ? retryMs : everyMs, signal);
  }
}
