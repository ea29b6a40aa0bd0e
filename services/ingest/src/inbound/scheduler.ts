/**
 * Moves fetches that have waited too long to slots of their own: a signed source address may be valid for only 30
 * minutes.
 */
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import { moveOverdue } from '../outbound/fetch-rows.ts';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  /** Claims at once. */
  readonly notify: () => void;
  readonly startWithinMs: number;
  readonly everyMs: number;
};

/** Runs every `everyMs` until it is closed. */
export function startScheduler({ pool, log, notify, startWithinMs, everyMs }: Deps) {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const moved = await moveOverdue(pool, startWithinMs);
        if (moved > 0) log.warn({ moved }, 'overdue fetches moved to slots of their own');
        if (moved > 0) notify();
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'cannot find overdue fetches');
      }
      await pause(everyMs, stopping.signal);
    }
  };
  const running = loop();
  return {
    close: (): Promise<void> => {
      stopping.abort();
      return running;
    },
  };
}
