/** The metrics that every worker has: ready, running, oldest age, tries, seconds, and which queues are paused. */
import type { Gauge } from 'prom-client';
import type { Pool } from '../database/database.ts';
import { singleFlight } from '../async.ts';
import type { Breaker } from '../breaker.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Caps the cost of a scrape: every replica counts the ready jobs at each. */
const MAX_COUNTED = 10_000;

const readySql = `WITH RECURSIVE known AS (
  (SELECT queue FROM chassis.jobs WHERE state = 'ready' ORDER BY queue LIMIT 1)
  UNION ALL
  SELECT following.queue FROM known, LATERAL (
    SELECT queue FROM chassis.jobs WHERE state = 'ready' AND queue > known.queue ORDER BY queue LIMIT 1) following
), waiting AS (
  SELECT known.queue, run_after FROM known, LATERAL (
    SELECT run_after FROM chassis.jobs WHERE queue = known.queue AND state = 'ready' AND run_after <= now()
    ORDER BY run_after LIMIT ${MAX_COUNTED}) oldest
  UNION ALL
  SELECT queue, run_after FROM chassis.jobs WHERE state = 'running' AND lease_until <= now()
)
SELECT queue, count(*) AS ready, extract(epoch FROM max(now() - run_after))::float8 AS oldest FROM waiting GROUP BY queue`;

type ReadyRow = { readonly queue: string; readonly ready: number; readonly oldest: number };

/**
 * Registers the metrics and returns the two that the slots feed. Every replica reports the same ready rows. An empty
 * queue reports zero, so that an autoscaler sees the end of its backlog.
 */
export function watchWork(
  pool: Pool,
  metrics: Metrics,
  running: ReadonlyMap<number, unknown>,
  queues: readonly { readonly name: string; readonly breaker: Pick<Breaker, 'isOpen'> }[],
) {
  const readReady = singleFlight(async () => (await pool.query<ReadyRow>(readySql)).rows);
  const fill = async (gauge: Gauge<'queue'>, value: (row: ReadyRow) => number): Promise<void> => {
    const rows = await readReady();
    gauge.reset();
    for (const { name } of queues) gauge.set({ queue: name }, 0);
    for (const row of rows) gauge.set({ queue: row.queue }, value(row));
  };
  metrics.gauge(
    'vds_work_oldest_ready_seconds',
    'Age of the oldest job that is ready and unclaimed',
    ['queue'],
    (gauge) => fill(gauge, ({ oldest }) => oldest),
  );
  metrics.gauge(
    'vds_work_ready',
    `Jobs that are ready and unclaimed; ${MAX_COUNTED} also stands for more`,
    ['queue'],
    (gauge) => fill(gauge, ({ ready }) => ready),
  );
  metrics.gauge(
    'vds_work_breaker_open',
    '1 while this process has paused the queue because a dependency is unavailable',
    ['queue'],
    (gauge) => queues.forEach(({ name, breaker }) => gauge.set({ queue: name }, breaker.isOpen() ? 1 : 0)),
  );
  metrics.gauge('vds_work_running', 'Jobs in the slots of this process', [], (gauge) => gauge.set(running.size));
  return {
    tries: metrics.counter('vds_work_tries_total', 'Tries of jobs', ['queue', 'outcome']),
    seconds: metrics.histogram('vds_work_seconds', 'Time that a try took', ['queue', 'outcome']),
  };
}
