/** The doors through which work comes, one queue each. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { startWorkers, type Queue, type Workers } from '@vds/chassis/work/work';
import { encodeQueue } from './encode-queue.ts';
import { inspectQueue } from './inspect-queue.ts';
import type { Workplace } from './workplace.ts';

export type Slots = {
  readonly inspectSlots: number;
  readonly encodeSlots: number;
  readonly leaseMs: number;
  readonly renewMs: number;
};

/** Starts the slots of this process. */
export function startQueues(workplace: Workplace, slots: Slots, purge: Queue, metrics: Metrics): Workers {
  return startWorkers({
    pool: workplace.pool,
    log: workplace.log,
    metrics,
    leaseMs: slots.leaseMs,
    renewMs: slots.renewMs,
    afterSettle: workplace.wake,
    queues: {
      inspect: inspectQueue(workplace, slots.inspectSlots),
      encode: encodeQueue(workplace, slots.encodeSlots),
      purge,
    },
  });
}
