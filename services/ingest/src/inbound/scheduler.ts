/** Finds fetches that have waited too long for a slot: a signed source address need only live for 30 minutes. */
import type { Pool } from '@vds/chassis/database/database';
import { messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { pause } from '@vds/chassis/process/async';
import type { Workers } from '@vds/chassis/work/work';
import { moveOverdue } from '../outbound/fetches.ts';

export type SweepOptions = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly workers: Pick<Workers, 'notify'>;
  readonly startWithinMs: number;
  readonly everyMs: number;
};

/** Looks now and again until it is closed. */
export function startScheduler({ pool, log, workers, startWithinMs, everyMs }: SweepOptions) {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const moved = await moveOverdue(pool, startWithinMs);
        if (moved > 0) log.warn({ moved }, 'fetches have waited too long and get slots of their own');
        if (moved > 0) workers.notify();
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'cannot look for overdue fetches');
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
