/** Loops over JetStream that survive its outages. */
import { messageOf } from '../errors.ts';
import { pause } from '../async.ts';
import type { Logger } from '../telemetry/log.ts';

type Deps = {
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** False while disconnected. */
  readonly isUp: () => boolean;
};

/** Repeats `work` until the process stops; its errors are logged at most once a minute. */
export async function forever({ log, signal, isUp }: Deps, what: string, work: () => Promise<void>): Promise<void> {
  let quietUntil = 0;
  while (!signal.aborted) {
    if (!isUp()) {
      await pause(100, signal); // a request sent now would only time out
      continue;
    }
    try {
      await work();
    } catch (error) {
      if (signal.aborted) return;
      if (Date.now() > quietUntil) log.info({ reason: messageOf(error) }, `${what}: retrying`);
      quietUntil = Date.now() + 60_000;
      await pause(500, signal);
    }
  }
}
