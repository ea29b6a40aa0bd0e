/**
 * The claim: one statement that takes the next job of a queue under a lease and a higher fence.
 *
 * Among waiting tenants, one that holds its share of this process's slots goes last; then the tenant with the fewest
 * running jobs goes first, and of several the one served longest ago: even a single slot is shared. Within a tenant,
 * started videos go first, so that they are finished before others start, then the rank: the least work left, and the
 * oldest of equal ones. Only the first jobs of each tenant and origin are read, so that a claim takes as long with a
 * hundred thousand ready jobs as with a hundred.
 */
import type { Pool } from '../database/database.ts';
import type { ClaimedJob } from './job-rows.ts';
import { CRASHES_BEFORE_QUARANTINE } from './retry-decision.ts';
import type { TakenShares } from './shares.ts';

export type ClaimOptions = TakenShares & {
  readonly leaseMs: number;
  /** Names this process to the operator: `<host>/<process id>`. */
  readonly claimant: string;
  /** Whether this process is idle. */
  readonly idle: boolean;
  /** How long a quarantined job is left to idle processes, in milliseconds. */
  readonly quarantineWaitMs: number;
  /** Whether jobs of others whose lease has expired may be claimed. */
  readonly expired: boolean;
  /** Jobs running in this process: one whose lease could not be renewed in time is not lost. */
  readonly held: readonly number[];
  /** Tenants whose jobs this process has claimed, the latest last. */
  readonly served: readonly string[];
  /** Whether ready jobs whose last try was stopped by a dependency are passed over; no by default. */
  readonly unblocked?: boolean;
};

/** Of each tenant and origin: other processes may be claiming the first ones. */
const CANDIDATES = 4;

/** The parameters of the statement, by name. */
const names = [
  ...(['queue', 'leaseMs', 'claimant', 'idle', 'quarantineWaitMs', 'expired', 'held', 'unblocked'] as const),
  ...(['closed', 'crowdedTenants', 'crowdedOrigins', 'served'] as const),
];
const $ = Object.fromEntries(names.map((name, index) => [name, `$${index + 1}`])) as Record<
  (typeof names)[number],
  string
>;

const jobColumns = 'id, tenant, origin, video_started, rank';

const claimSql = `
WITH RECURSIVE
-- How many jobs of each tenant are running.
busy AS (
  SELECT tenant, count(*) AS jobs FROM chassis.jobs WHERE state = 'running' AND lease_until > now() GROUP BY tenant
),
-- Every tenant and origin with ready jobs, one step of the index each.
line AS (
  (SELECT tenant, origin FROM chassis.jobs WHERE queue = ${$.queue} AND state = 'ready' ORDER BY tenant, origin LIMIT 1)
  UNION ALL
  SELECT following.* FROM line, LATERAL (
    SELECT tenant, origin FROM chassis.jobs
    WHERE queue = ${$.queue} AND state = 'ready' AND (tenant, origin) > (line.tenant, line.origin)
    ORDER BY tenant, origin LIMIT 1) following
),
-- The first jobs of each, and jobs whose lease was lost with their process.
waiting AS (
  SELECT first.* FROM line, LATERAL (
    SELECT ${jobColumns} FROM chassis.jobs
    WHERE queue = ${$.queue} AND state = 'ready' AND tenant = line.tenant AND origin = line.origin
      AND run_after <= now() AND ${mayRun('crashes')} AND (NOT ${$.unblocked} OR blocked_by IS NULL)
    ORDER BY video_started DESC, rank, id LIMIT ${CANDIDATES}) first
  UNION ALL
  SELECT * FROM (
    SELECT ${jobColumns} FROM chassis.jobs
    WHERE ${$.expired} AND queue = ${$.queue} AND state = 'running' AND lease_until <= now()
      AND id <> ALL (${$.held}) AND ${mayRun('crashes + 1')}
    ORDER BY lease_until LIMIT ${CANDIDATES}) lost
),
-- The order in which tenants, and the jobs of one, have their turn.
best AS (
  SELECT id, row_number() OVER (ORDER BY waiting.tenant = ANY (${$.crowdedTenants}) OR origin = ANY (${$.crowdedOrigins}),
    coalesce(busy.jobs, 0), coalesce(array_position(${$.served}::text[], waiting.tenant), 0),
    video_started DESC, rank, id) AS place
  FROM waiting LEFT JOIN busy ON busy.tenant = waiting.tenant
  WHERE waiting.tenant <> ALL (${$.closed}) ORDER BY place LIMIT ${4 * CANDIDATES}
),
-- The first that no other process is claiming at this moment.
next AS (
  SELECT j.id FROM best JOIN chassis.jobs j USING (id)
  WHERE (j.state = 'ready' AND j.run_after <= now()) OR (j.state = 'running' AND j.lease_until <= now())
  ORDER BY place LIMIT 1 FOR UPDATE OF j SKIP LOCKED
),
-- From now on the other jobs of its video in this queue go first.
siblings AS (
  UPDATE chassis.jobs SET video_started = true WHERE id IN (
    SELECT sibling.id FROM next JOIN chassis.jobs j USING (id)
      JOIN chassis.jobs sibling USING (stage, video_id, attempt)
    WHERE NOT j.video_started AND NOT sibling.video_started AND sibling.state = 'ready' AND sibling.id <> j.id
      AND sibling.queue = j.queue
    FOR UPDATE OF sibling SKIP LOCKED)
)
UPDATE chassis.jobs SET state = 'running', fence = fence + 1, claimed_by = ${$.claimant}, video_started = true,
  quarantined = false, lease_until = now() + ${$.leaseMs} * interval '1 millisecond',
  crashes = crashes + CASE WHEN state = 'running' AND (crashes < ${CRASHES_BEFORE_QUARANTINE} OR quarantined) THEN 1 ELSE 0 END,
  started_at = now(), phases = NULL
FROM next WHERE jobs.id = next.id
RETURNING jobs.id, stage, queue, video_id AS "videoId", attempt, revision, name, tenant, origin, fence, tries,
  last_failure AS "lastFailure", crashes, blocked_by AS "blockedBy", blocked_ms AS "blockedMs",
  greatest(0, extract(epoch FROM now() - run_after)::float8 * 1000) AS "readyMs", payload, traceparent`;

/** Whether this process may run a job that has crashed this often. */
function mayRun(crashes: string): string {
  const hasWaited = `run_after <= now() - ${$.quarantineWaitMs} * interval '1 millisecond'`;
  return `(${crashes} < ${CRASHES_BEFORE_QUARANTINE} OR ${$.idle} OR ${hasWaited})`;
}

/**
 * Claims the next job of a queue; undefined if there is none for this process. An expired lease was lost with its
 * process, which counts as a crash, unless the job only waited for its quarantine.
 */
export async function claim(pool: Pool, queue: string, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const given = { unblocked: false, ...options, queue };
  const statement = { name: 'chassis-jobs-claim', text: claimSql, values: names.map((name) => given[name]) };
  return (await pool.query<ClaimedJob>(statement)).rows[0];
}
