/**
 * The claim: one statement that takes the next job of a queue under a lease and a higher fence.
 *
 * Among those who wait, whoever holds their share of this process's slots goes last; then the tenant with the fewest
 * running jobs goes first, and of several the one whose turn is longest ago: a single slot is shared, too. Of one tenant
 * videos that have begun go first, so that they are finished before others are begun, then the rank: the least work left,
 * and the oldest of equal ones. Only the first jobs of each tenant and origin are read, so that a claim takes as long with
 * a hundred thousand ready jobs as with a hundred.
 */
import type { Pool } from '../database/database.ts';
import { crashesBeforeQuarantine } from './accounting.ts';
import { leaseFor, runAfter, type ClaimedJob } from './job-rows.ts';
import type { TakenShares } from './shares.ts';

export type ClaimOptions = TakenShares & {
  readonly leaseMs: number;
  /** Identifies this process, and names it to the operator: `<host>/<process id>/<random>`. */
  readonly claimant: string;
  /** Whether this process runs nothing. */
  readonly idle: boolean;
  /** How long a quarantined job is left to idle processes, in milliseconds. */
  readonly quarantineWaitMs: number;
  /** Whether jobs of others whose lease has expired may be claimed. */
  readonly expired: boolean;
  /** Jobs that run in this process: one whose lease could not be renewed in time is not lost. */
  readonly held: readonly number[];
  /** Tenants whose jobs this process has claimed, the latest last. */
  readonly served: readonly string[];
  /** Whether ready jobs whose last try was stopped by a dependency are passed over; no by default. */
  readonly unblocked?: boolean;
};

/** Of each tenant and origin: other processes may just be claiming the first ones. */
const candidates = 4;

const claimSql = `
WITH RECURSIVE busy AS (
  SELECT tenant, count(*) AS jobs FROM chassis.jobs WHERE state = 'running' AND lease_until > now() GROUP BY tenant
), line AS (
  (SELECT tenant, origin FROM chassis.jobs WHERE queue = $1 AND state = 'ready' ORDER BY tenant, origin LIMIT 1)
  UNION ALL
  SELECT following.* FROM line, LATERAL (
    SELECT tenant, origin FROM chassis.jobs
    WHERE queue = $1 AND state = 'ready' AND (tenant, origin) > (line.tenant, line.origin)
    ORDER BY tenant, origin LIMIT 1) following
), waiting AS (
  SELECT first.* FROM line, LATERAL (
    SELECT id, tenant, origin, video_started, rank FROM chassis.jobs
    WHERE queue = $1 AND state = 'ready' AND tenant = line.tenant AND origin = line.origin
      AND run_after <= now() AND ${mayRun('crashes')} AND (NOT $9 OR blocked_by IS NULL)
    ORDER BY video_started DESC, rank, id LIMIT ${candidates}) first
  UNION ALL
  SELECT * FROM (
    SELECT id, tenant, origin, video_started, rank FROM chassis.jobs
    WHERE $5 AND queue = $1 AND state = 'running' AND lease_until <= now() AND id <> ALL ($10) AND ${mayRun('crashes + 1')}
    ORDER BY lease_until LIMIT ${candidates}) lost
), best AS (
  SELECT id, row_number() OVER (ORDER BY waiting.tenant = ANY ($7) OR origin = ANY ($8), coalesce(busy.jobs, 0),
    coalesce(array_position($11::text[], waiting.tenant), 0), video_started DESC, rank, id) AS place
  FROM waiting LEFT JOIN busy ON busy.tenant = waiting.tenant
  WHERE waiting.tenant <> ALL ($6) ORDER BY place LIMIT ${4 * candidates}
), next AS (
  SELECT j.id FROM best JOIN chassis.jobs j USING (id)
  WHERE (j.state = 'ready' AND j.run_after <= now()) OR (j.state = 'running' AND j.lease_until <= now())
  ORDER BY place LIMIT 1 FOR UPDATE OF j SKIP LOCKED
), siblings AS (
  UPDATE chassis.jobs SET video_started = true WHERE id IN (
    SELECT sibling.id FROM next JOIN chassis.jobs j USING (id)
      JOIN chassis.jobs sibling USING (stage, video_id, attempt)
    WHERE NOT j.video_started AND NOT sibling.video_started AND sibling.state = 'ready' AND sibling.id <> j.id
    FOR UPDATE OF sibling SKIP LOCKED)
)
UPDATE chassis.jobs SET state = 'running', fence = fence + 1, claimed_by = $12, video_started = true, quarantined = false,
  crashes = crashes + CASE WHEN state = 'running' AND (crashes < ${crashesBeforeQuarantine} OR quarantined) THEN 1 ELSE 0 END,
  ${leaseFor("$2 * interval '1 millisecond'")}, started_at = coalesce(started_at, now())
FROM next WHERE jobs.id = next.id
RETURNING jobs.id, stage, queue, video_id AS "videoId", attempt, revision, name, tenant, origin, fence, tries,
  last_failure AS "lastFailure", crashes, blocked_by AS "blockedBy", blocked_ms AS "blockedMs",
  greatest(0, extract(epoch FROM now() - run_after)::float8 * 1000) AS "readyMs", payload, traceparent`;

/** Whether this process may run a job that has crashed so often. */
function mayRun(crashes: string): string {
  return `(${crashes} < ${crashesBeforeQuarantine} OR $3 OR run_after <= now() - $4 * interval '1 millisecond')`;
}

/**
 * Claims the next job of a queue; undefined when there is none for this process. A lease that has expired was lost with
 * its process, which counts as a crash, unless the job only waited for its quarantine.
 */
export async function claim(pool: Pool, queue: string, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  const { leaseMs, claimant, idle, quarantineWaitMs, expired, closed, crowdedTenants, crowdedOrigins, held, served } =
    options;
  const shares = [closed, crowdedTenants, crowdedOrigins];
  const { rows } = await pool.query<ClaimedJob>({
    name: 'chassis-jobs-claim',
    text: claimSql,
    values: [
      queue,
      leaseMs,
      idle,
      quarantineWaitMs,
      expired,
      ...shares,
      options.unblocked ?? false,
      held,
      served,
      claimant,
    ],
  });
  return rows[0];
}

/**
 * Releases what this process has claimed without a reply, as the connection was lost: it does not run there, and its
 * lease would expire as if the process had been killed.
 */
export async function releaseUnanswered(pool: Pool, queue: string, options: ClaimOptions): Promise<void> {
  await pool.query(
    `UPDATE chassis.jobs SET state = 'ready', lease_until = NULL, ${runAfter("interval '0'")}
     WHERE state = 'running' AND queue = $1 AND claimed_by = $2 AND id <> ALL ($3)`,
    [queue, options.claimant, options.held],
  );
}
