/** A stage runtime without slots, for tests that claim jobs and deliver messages by hand. */
import type { EventType } from '@vds/proto/events';
import type { EventHandler } from '@vds/chassis/bus/bus';
import type { Pool } from '@vds/chassis/database/database';
import type { BoundStage } from '@vds/chassis/stage/define-stage';
import type { PurgeDefinition } from '@vds/chassis/stage/purge';
import { startStages, type Stages } from '@vds/chassis/stage/run-stages';
import { queueOf } from '@vds/chassis/stage/stage-life';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';

export function idleStages(pool: Pool, stages: readonly BoundStage[], purge: PurgeDefinition) {
  const handlers: EventHandler[] = [];
  const collect = (list: readonly EventHandler[]): void => void handlers.push(...list);
  const names = stages.flatMap((stage) => Object.keys(stage.jobs).map((kind) => queueOf(stage, kind)));
  const queues = Object.fromEntries(names.map((name) => [name, { slots: 0 }]));
  const config = { leaseMs: 60_000, renewMs: 20_000, purgeSlots: 0, purgeAgainMs: 3_600_000 };
  const log = createLogger('test', 'error');
  const bus = { subscribe: collect, watch: collect };
  const worker = { pool, log, metrics: createMetrics('test'), bus, relay: { notify: () => {} } };
  const runtime: Stages = startStages(config, worker, { stages, queues, purge });
  void runtime.close(); // Without slots there is nothing to check, and tests do not close it.
  return {
    ...runtime,
    /** Delivers a message to the handler of its subject. */
    deliver: async <In>(event: EventType<In, unknown>, payload: In, id = 'test'): Promise<void> => {
      for (const handler of handlers)
        if (handler.subject === event.subject) await handler.handle(event.encode(payload), { id, delivery: 1 });
    },
  };
}
