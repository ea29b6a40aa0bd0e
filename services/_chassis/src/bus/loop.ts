/** Loops over JetStream that survive its outages. */
import { messageOf } from '../errors.ts';
import { pause } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';

type Deps = {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
};

const LOG_EVERY_MS = 60_000;

/** Repeats `work` until the process stops; its errors are logged at most once a minute. */
export async function forever(
  { log, signal, isUp, now }: Deps,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  const report = onceAMinute(now);
  while (!signal.aborted) {
    if (!isUp()) {
      await pause(100, signal); // a request sent now would only time out
      continue;
    }
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      report(() => log.info({ reason: messageOf(error) }, `${what}: retrying`));
      await pause(500, signal);
    }
  }
}

/**
 * Lets one call a minute through: what keeps failing stays visible, and floods no log.
 * @param now milliseconds of a monotonic clock
 */
export function onceAMinute(now = (): number => performance.now()): (write: () => void) => void {
  let quietUntil = -Infinity;
  return (write) => {
    if (now() < quietUntil) return;
    quietUntil = now() + LOG_EVERY_MS;
    write();
  };
}
