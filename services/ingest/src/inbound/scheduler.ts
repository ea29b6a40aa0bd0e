/** Periodic task: `move-overdue`. */
import type { Pool } from '@vds/chassis/database/database';
import { startPeriodic } from '@vds/chassis/process/periodic';
import { moveOverdueJobs } from '@vds/chassis/stage/stage-rows';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';

export type Deps = {
  readonly pool: Pool;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Claims at once. */
  readonly notify: () => void;
  readonly startWithinMs: number;
  readonly everyMs: number;
};

/** Moves fetches that have waited too long to slots of their own: a signed source address may be valid for 30 minutes. */
export function startScheduler({ pool, log, metrics, notify, startWithinMs: withinMs, everyMs }: Deps) {
  const moveOverdue = async (): Promise<void> => {
    const moved = await moveOverdueJobs(pool, { from: 'fetch', to: 'fetch-overdue', withinMs });
    if (moved === 0) return;
    log.warn({ moved }, 'overdue fetches moved to slots of their own');
    notify();
  };
  return startPeriodic({ log, metrics, everyMs, tasks: { 'move-overdue': moveOverdue } });
}
