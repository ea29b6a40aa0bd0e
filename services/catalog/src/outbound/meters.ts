/** What operators see of catalog: how videos move, how long they take, what is open and what nobody confirms. */
import type { Pool } from '@vds/shared/database';
import type { Metrics } from '@vds/shared/metrics';
import type { Plan } from '../domain/plan.ts';

export const openMeters = (metrics: Metrics, pool: Pool) => {
  const moves = metrics.counter('vds_catalog_transitions_total', 'Videos that moved from one state to another', [
    'from',
    'to',
  ]);
  const refusals = metrics.counter(
    'vds_catalog_daily_limit_total',
    'Videos refused because the day’s budget was spent',
  );
  const said = metrics.counter('vds_catalog_reminders_total', 'Requests and removals said again', ['kind']);
  const unknown = metrics.counter('vds_catalog_unknown_failures_total', 'Failure codes that the table does not know');
  const ready = metrics.histogram(
    'vds_catalog_time_to_ready_seconds',
    'From acceptance to the first completion of a video',
    [],
    [10, 20, 30, 45, 60, 90, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200],
  );
  metrics.gauge('vds_catalog_open_stages', 'Stages without their last fact', ['stage', 'state'], async (gauge) => {
    const { rows } = await pool.query<{ stage: string; state: string; n: number }>(
      `SELECT stage, state, count(*) AS n FROM stages WHERE remind_at IS NOT NULL GROUP BY stage, state`,
    );
    gauge.reset();
    for (const { stage, state, n } of rows) gauge.set({ stage, state }, n);
  });
  metrics.gauge('vds_catalog_oldest_request_seconds', 'Age of the oldest unclaimed request', [], async (gauge) => {
    const { rows } = await pool.query<{ age: number | null }>(
      `SELECT EXTRACT(EPOCH FROM now() - min(requested_at))::float8 AS age FROM stages
        WHERE remind_at IS NOT NULL AND state = 'requested'`,
    );
    gauge.set(rows[0]?.age ?? 0);
  });
  metrics.gauge('vds_catalog_oldest_purge_seconds', 'Age of the oldest unconfirmed removal', [], async (gauge) => {
    const { rows } = await pool.query<{ age: number | null }>(
      `SELECT EXTRACT(EPOCH FROM now() - min(due_at))::float8 AS age FROM purges
        WHERE remind_at IS NOT NULL AND due_at <= now()`,
    );
    gauge.set(rows[0]?.age ?? 0);
  });
  return {
    accepted: (): void => moves.inc({ from: 'none', to: 'processing' }),
    refused: (): void => refusals.inc(),
    said: (kind: string): void => said.inc({ kind }),
    unknownFailure: (): void => unknown.inc(),
    observe: ({ before, video }: Plan, now: Date): void => {
      if (before.state !== video.state) moves.inc({ from: before.state, to: video.state });
      if (before.playbackId === null && video.playbackId !== null)
        ready.observe((now.getTime() - video.createdAt.getTime()) / 1_000);
    },
  };
};
