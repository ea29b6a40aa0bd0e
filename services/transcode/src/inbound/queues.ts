/** The queues of this process and their handlers. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { startWorkers, type Queue, type Workers } from '@vds/chassis/work/work';
import { encodeQueue } from './encode-queue.ts';
import { inspectQueue } from './inspect-queue.ts';
import type { Deps } from './deps.ts';

export type Slots = {
  readonly inspectSlots: number;
  readonly encodeSlots: number;
  readonly leaseMs: number;
  readonly renewMs: number;
};

/** Starts the slots of this process. */
export function startQueues(deps: Deps, slots: Slots, purge: Queue, metrics: Metrics): Workers {
  return startWorkers({
    pool: deps.pool,
    log: deps.log,
    metrics,
    leaseMs: slots.leaseMs,
    renewMs: slots.renewMs,
    afterSettle: deps.wake,
    queues: {
      inspect: inspectQueue(deps, slots.inspectSlots),
      encode: encodeQueue(deps, slots.encodeSlots),
      purge,
    },
  });
}
