/**
 * How long rows are kept. Every table of a service is in its retention: with a rule that removes rows, or the reason
 * why it cannot grow without bound. One replica at a time applies the rules, in bounded batches.
 */
import { duration, withDefault, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { scaled } from '../config/times.ts';
import { AppError, messageOf } from '../errors.ts';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { pause } from '../async.ts';
import type { Pool } from './database.ts';
import { runExclusively } from './leader-lock.ts';

const DAY = 86_400_000;
const BATCH = 1_000;
const PAUSE_MS = 100;

export const retentionConfig = {
  /** How long jobs that have ended are kept, of stages that have ended. */
  jobsKeepMs: ['JOBS_KEEP', withDefault(duration, 7 * DAY)],
  /**
   * How long tombstones and the records of deleted videos are kept. They reject late results and survive a restore of
   * catalog: longer than any message or backup.
   */
  tombstonesKeepMs: ['TOMBSTONES_KEEP', withDefault(duration, 90 * DAY)],
  ...scaled({ retentionEveryMs: 3_600_000 }),
} as const satisfies ConfigSpec;

/** Of services with an audit. */
export const auditConfig = {
  /**
   * How long the audit is kept, revoked keys and the daily counts of publishers. The audit never less than 30 days,
   * whatever the setting: the database ensures it.
   */
  auditKeepMs: ['AUDIT_KEEP', withDefault(duration, 400 * DAY)],
} as const satisfies ConfigSpec;

/** A table by its name, with its schema unless that is `public`. */
export type Retention = Readonly<Record<string, RetentionRule | BoundedBy>>;
/** Why a table cannot grow without bound. */
type BoundedBy = string;
type RetentionRule = {
  /** In milliseconds. */
  readonly keepMs: number;
} & (
  | {
      /** The condition of rows to remove; `before` is an SQL expression: the time `keepMs` ago. */
      readonly expired: (before: string) => string;
    }
  /** A function of the database that removes rows, with the interval to keep and the size of a batch; returns how many. */
  | { readonly pruneBy: string }
);

type Deps = {
  readonly config: ConfigOf<typeof retentionConfig>;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** The retention of the chassis's tables, which every service's database has. */
export function chassisRetention({
  jobsKeepMs,
  tombstonesKeepMs,
}: Pick<Deps['config'], 'jobsKeepMs' | 'tombstonesKeepMs'>): Retention {
  return {
    'chassis.jobs': {
      keepMs: jobsKeepMs,
      expired: (before) => `state IN ('done', 'failed', 'cancelled') AND finished_at < ${before} AND NOT EXISTS (
        SELECT FROM chassis.stages AS s WHERE (s.stage, s.video_id, s.attempt) = (t.stage, t.video_id, t.attempt)
          AND s.state = 'open')`,
    },
    'chassis.tombstones': { keepMs: tombstonesKeepMs, expired: (before) => `created_at < ${before}` },
    'chassis.stages': 'removed with their video or attempt',
    'chassis.outbox': { keepMs: DAY, expired: (before) => `published_at < ${before}` },
    'chassis.leader_locks': 'one row for each task',
    'chassis.migrations': 'one row for each migration',
    _prisma_migrations: 'one row for each migration',
  };
}

/**
 * Starts the periodic task `prune-tables`.
 * @param retention of the service's own tables, in the order in which they are pruned
 */
export function startRetention({ config, log, metrics }: Deps, pool: Pool, retention: Retention) {
  const everyMs = config.retentionEveryMs;
  const prune = async (signal: AbortSignal): Promise<void> => {
    const { removed, failures } = await pruneTables(pool, { ...retention, ...chassisRetention(config) }, signal);
    for (const [table, rows] of removed) log.info({ table, rows }, 'expired rows removed');
    if (failures.length > 0) throw new AppError('INTERNAL', `expired rows remain: ${failures.join('; ')}`);
  };
  // A little less than the interval, so that a single replica never skips one.
  const task = (signal: AbortSignal) => runExclusively(pool, 'prune-tables', 0.9 * everyMs, () => prune(signal));
  return startPeriodic({ log, metrics, everyMs, retryMs: Math.min(everyMs, 60_000), tasks: { 'prune-tables': task } });
}

type Pruned = {
  /** Rows removed by table, without the tables that had none. */
  readonly removed: ReadonlyMap<string, number>;
  /** The tables that could not be pruned, each with the reason. */
  readonly failures: readonly string[];
};

/** Removes every expired row, table by table; one that cannot be pruned does not block the others. */
export async function pruneTables(pool: Pool, retention: Retention, signal: AbortSignal): Promise<Pruned> {
  const removed = new Map<string, number>();
  const failures: string[] = [];
  for (const [table, rule] of Object.entries(retention)) {
    if (typeof rule === 'string') continue;
    try {
      const rows = await pruneTable(pool, table, rule, signal);
      if (rows > 0) removed.set(table, rows);
    } catch (error) {
      failures.push(`${table}: ${messageOf(error)}`);
    }
  }
  return { removed, failures };
}

/** @returns how many rows were removed */
async function pruneTable(pool: Pool, table: string, rule: RetentionRule, signal: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const rows = await pruneBatch(pool, table, rule);
    removed += rows;
    if (rows < BATCH) break;
    await pause(PAUSE_MS, signal);
  }
  return removed;
}

/** Rows that another transaction has locked are left for the next run. */
async function pruneBatch(pool: Pool, table: string, rule: RetentionRule): Promise<number> {
  const keep = `$1::float8 * interval '1 millisecond'`;
  const text =
    'pruneBy' in rule
      ? `SELECT ${rule.pruneBy}(${keep}, $2) AS rows`
      : `WITH removed AS (DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM ${table} AS t WHERE ${rule.expired(`now() - ${keep}`)} LIMIT $2 FOR UPDATE SKIP LOCKED))
           RETURNING 1) SELECT count(*)::int AS rows FROM removed`;
  const { rows } = await pool.query<{ rows: number }>(text, [rule.keepMs, BATCH]);
  return rows[0]?.rows ?? 0;
}
