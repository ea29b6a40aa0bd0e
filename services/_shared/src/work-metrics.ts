/** The five metrics that every worker has: ready, running, oldest age, tries, seconds. */
import type { Pool } from './database.ts';
import type { Metrics } from './metrics.ts';

const readySql = `SELECT queue, count(*) AS ready, extract(epoch FROM max(now() - run_after))::float8 AS oldest
  FROM chassis.work WHERE (state = 'ready' AND run_after <= now()) OR (state = 'running' AND lease_until <= now()) GROUP BY queue`;

/** Registers the metrics and returns the two that the slots feed. */
export const watchWork = (pool: Pool, metrics: Metrics, running: ReadonlyMap<number, unknown>) => {
  const oldest = metrics.gauge('vds_work_oldest_ready_seconds', 'Age of the oldest unit that nobody has claimed', [
    'queue',
  ]);
  metrics.gauge('vds_work_ready', 'Units that wait to be claimed', ['queue'], async (gauge) => {
    const { rows } = await pool.query<{ queue: string; ready: number; oldest: number }>(readySql);
    gauge.reset();
    oldest.reset();
    for (const row of rows) {
      gauge.set({ queue: row.queue }, row.ready);
      oldest.set({ queue: row.queue }, row.oldest);
    }
  });
  metrics.gauge('vds_work_running', 'Units in the slots of this process', [], (gauge) => gauge.set(running.size));
  return {
    tries: metrics.counter('vds_work_tries_total', 'Tries of units', ['queue', 'outcome']),
    seconds: metrics.histogram('vds_work_seconds', 'Time that a try took', ['queue', 'outcome']),
  };
};
export type WorkMetrics = ReturnType<typeof watchWork>;
