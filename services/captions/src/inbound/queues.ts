/** The queues of this process and their handlers. */
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import { startWorkers, type Queue, type Workers } from '@vds/chassis/work/work';
import { transcriptionQueue } from './transcription-jobs.ts';
import { translateQueue } from './translate-queue.ts';
import type { Deps } from './deps.ts';

export type Slots = {
  readonly hearSlots: number;
  readonly translateSlots: number;
  readonly engineTries: number;
  readonly retryDelaysMs: readonly number[];
  readonly leaseMs: number;
  readonly renewMs: number;
};

/** Starts the slots of this process. */
export function startQueues(
  place: Deps,
  others: { readonly purge: Queue; readonly say: Queue },
  slots: Slots,
  metrics: Metrics,
): Workers {
  return startWorkers({
    pool: place.pool,
    log: place.log,
    metrics,
    leaseMs: slots.leaseMs,
    renewMs: slots.renewMs,
    retryDelaysMs: slots.retryDelaysMs,
    afterSettle: place.wake,
    queues: {
      hear: transcriptionQueue(place, slots.hearSlots, slots.engineTries),
      translate: translateQueue(place, slots.translateSlots, slots.engineTries),
      ...others,
    },
  });
}
