/** Metrics of catalog: transitions and times of videos, open stages, unconfirmed purges. */
import { failures as failureTable } from '@vds/proto/failures';
import type { Pool } from '@vds/chassis/database/database';
import { singleFlight } from '@vds/chassis/async';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { Plan } from '../domain/plan.ts';
import { sourceOwner, stages } from '../domain/stages.ts';

/** Only first attempts: the retry of an old video is expected to be late. */
const overdueSql = `SELECT count(*) AS n FROM videos v
  WHERE v.state = 'processing' AND v.attempt = 1
    AND v.created_at < now() - ($1 + coalesce(v.duration_ms, 0)) * interval '1 millisecond'
    AND v.id IN (SELECT video_id FROM stages WHERE next_republish_at IS NOT NULL)`;

const oldestPurgeSql = `SELECT EXTRACT(EPOCH FROM now() - min(due_at))::float8 AS n FROM purges
  WHERE next_republish_at IS NOT NULL AND due_at <= now()`;

/** @param readyWithinMs how soon a video should be ready, in addition to its own duration */
export function createCatalogMetrics(metrics: Metrics, pool: Pool, readyWithinMs: number) {
  const moves = metrics.counter('vds_catalog_transitions_total', 'Videos that moved from one state to another', [
    'from',
    'to',
  ]);
  const overLimit = metrics.counter(
    'vds_catalog_daily_limit_total',
    'Videos rejected because the day’s budget was spent',
  );
  const republished = metrics.counter('vds_catalog_republished_total', 'Requests of stages and purges republished', [
    'kind',
  ]);
  const unknown = metrics.counter(
    'vds_catalog_unknown_failures_total',
    'Failures with a code that is not in the table',
  );
  const ready = metrics.histogram(
    'vds_catalog_time_to_ready_seconds',
    'From acceptance to the first completion of a video',
    [],
    [10, 20, 30, 45, 60, 90, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 43_200],
  );
  const share = metrics.histogram(
    'vds_catalog_time_to_ready_ratio',
    'Time to the first completion as a share of what it should take at most: 5 min and the title’s own length',
    [],
    [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 4, 8],
  );
  const failed = metrics.counter('vds_catalog_failures_total', 'Videos that failed, by the code of their failure', [
    'code',
  ]);
  for (const code of Object.keys(failureTable)) failed.inc({ code }, 0);
  openGauges(metrics, pool, readyWithinMs);
  return {
    consumed: openStageGauges(metrics, pool),
    accepted: (): void => moves.inc({ from: 'none', to: 'processing' }),
    overDailyLimit: (): void => overLimit.inc(),
    republished: (kind: string): void => republished.inc({ kind }),
    unknownFailure: (): void => unknown.inc(),
    observe: ({ before, video }: Plan, now: Date): void => {
      if (before.state !== video.state) moves.inc({ from: before.state, to: video.state });
      if (before.failure === null && video.failure !== null) failed.inc({ code: video.failure.code });
      if (before.playbackId !== null || video.playbackId === null) return;
      const tookMs = now.getTime() - video.createdAt.getTime();
      ready.observe(tookMs / 1_000);
      share.observe(tookMs / (readyWithinMs + (video.durationMs ?? 0)));
    },
  };
}

/** Gauges over the rows; every replica reports the same. */
function openGauges(metrics: Metrics, pool: Pool, readyWithinMs: number): void {
  const number = async (sql: string, values: unknown[] = []): Promise<number> =>
    (await pool.query<{ n: number | null }>(sql, values)).rows[0]?.n ?? 0;
  metrics.gauge('vds_catalog_open_stages', 'Stages without their terminal event', ['stage', 'state'], async (gauge) => {
    const { rows } = await pool.query<{ stage: string; state: string; n: number }>(
      `SELECT stage, state, count(*) AS n FROM stages WHERE next_republish_at IS NOT NULL GROUP BY stage, state`,
    );
    gauge.reset();
    for (const { stage, state, n } of rows) gauge.set({ stage, state }, n);
  });
  metrics.gauge('vds_catalog_oldest_purge_seconds', 'Age of the oldest unconfirmed purge', [], async (gauge) =>
    gauge.set(await number(oldestPurgeSql)),
  );
  metrics.gauge('vds_catalog_overdue_videos', 'Videos in processing for longer than they should', [], async (gauge) =>
    gauge.set(await number(overdueSql, [readyWithinMs])),
  );
}

type StageGauge = { readonly set: (labels: { readonly stage: string }, value: number) => void };
type StageAges = { readonly stage: string; readonly unclaimed: number | null; readonly open: number };

/** Gauges of each stage. Returns a function to call with the stage of each event that this process consumes. */
function openStageGauges(metrics: Metrics, pool: Pool): (stage: string) => void {
  const consumedAt = new Map<string, number>();
  const startedAt = performance.now();
  // Until its source is complete, a stage may wait for bytes.
  const read = singleFlight(async () => {
    const { rows } = await pool.query<StageAges>(
      `SELECT stage, EXTRACT(EPOCH FROM now() - min(requested_at) FILTER (WHERE state = 'requested'))::float8 AS unclaimed,
         EXTRACT(EPOCH FROM now() - min(requested_at))::float8 AS open
       FROM stages WHERE next_republish_at IS NOT NULL AND (owner = $1 OR NOT EXISTS (
         SELECT FROM stages source WHERE source.video_id = stages.video_id AND source.attempt = stages.attempt
           AND source.owner = $1 AND source.next_republish_at IS NOT NULL)) GROUP BY stage`,
      [sourceOwner],
    );
    return new Map(rows.map((row) => [row.stage, row]));
  });
  const fill = async (gauge: StageGauge, value: (ages: StageAges) => number): Promise<void> => {
    const ages = await read();
    for (const { name: stage } of stages) {
      const row = ages.get(stage);
      gauge.set({ stage }, row ? value(row) : 0);
    }
  };
  const oldest = 'Age of the oldest request without a started event';
  metrics.gauge('vds_catalog_oldest_request_seconds', oldest, ['stage'], (gauge) =>
    fill(gauge, ({ unclaimed }) => unclaimed ?? 0),
  );
  const silent =
    'For how long this process has consumed no event of a stage that is open; the least of all replicas counts';
  metrics.gauge('vds_catalog_silent_seconds', silent, ['stage'], (gauge) =>
    fill(gauge, ({ stage, open }) =>
      Math.min(open, (performance.now() - (consumedAt.get(stage) ?? startedAt)) / 1_000),
    ),
  );
  return (stage) => void consumedAt.set(stage, performance.now());
}

export type CatalogMetrics = ReturnType<typeof createCatalogMetrics>;
