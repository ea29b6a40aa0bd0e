/** A stage runtime without slots, for tests that claim jobs and deliver messages by hand. */
import type { EventType } from '@vds/proto/events';
import type { EventHandler } from '@vds/chassis/bus/bus';
import type { Pool } from '@vds/chassis/database/database';
import { startStages, type BoundStage, type Stages, type StagesOptions } from '@vds/chassis/stage/run-stages';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';

export function idleStages(
  pool: Pool,
  stages: readonly BoundStage[],
  purge: Omit<StagesOptions['purge'], 'slots' | 'againMs'>,
) {
  const handlers: EventHandler[] = [];
  const collect = (list: readonly EventHandler[]): void => void handlers.push(...list);
  const queues = Object.fromEntries(stages.flatMap(({ queues }) => queues).map((name) => [name, { slots: 0 }]));
  const runtime: Stages = startStages({
    ...{ pool, stages, queues, log: createLogger('test', 'error'), metrics: createMetrics('test') },
    bus: { subscribe: collect, watch: collect },
    relay: { wake: () => {} },
    purge: { ...purge, slots: 0, againMs: 3_600_000 },
  });
  return {
    ...runtime,
    /** Delivers a message to the handler of its subject. */
    deliver: async <In>(event: EventType<In, unknown>, payload: In, id = 'test'): Promise<void> => {
      for (const handler of handlers)
        if (handler.subject === event.subject) await handler.handle(event.encode(payload), { id, delivery: 1 });
    },
  };
}
