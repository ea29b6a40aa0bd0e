/** Periodic tasks of a process. */
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from './async.ts';

/** While a task keeps failing, one failure in so many is logged. */
const LOG_EVERY = 30;

export type PeriodicOptions = {
  readonly log: Logger;
  readonly everyMs: number;
  /** The wait after a failure; `everyMs` unless given. */
  readonly retryMs?: number;
  /** By name; the signal aborts when the tasks are closed. */
  readonly tasks: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>>;
};

/** Runs each task at once, and again `everyMs` after it has ended. `close` waits for those that are running. */
export function startPeriodic(options: PeriodicOptions) {
  const stopping = new AbortController();
  const running = Object.entries(options.tasks).map(([task, run]) => repeat(options, task, run, stopping.signal));
  return {
    close: async (): Promise<void> => {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

async function repeat(
  { log, everyMs, retryMs = everyMs }: PeriodicOptions,
  task: string,
  run: (signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await run(signal);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures % LOG_EVERY === 1) log.warn({ reason: messageOf(error), task, failures }, 'periodic task failed');
    }
    await pause(failures > 0 ? retryMs : everyMs, signal);
  }
}
