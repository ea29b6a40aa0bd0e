/**
 * The statements on `chassis.jobs`. Every one that ends or renews a job is guarded by its fence.
 *
 * All transactions lock in the same order, or they could deadlock: the video (`lockVideo`); jobs; stages; the service's
 * own tables; the outbox. A transaction that ends a job holds its row from the first statement on, and locks
 * other jobs of its video only with SKIP LOCKED; every other transaction locks jobs in the order of their ids.
 */
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';
import { currentPhases } from './phases.ts';
import type { BlockedBy } from './retry-decision.ts';

export type NewJobRow = {
  /** The stage it belongs to, or a separate queue such as `purge`. */
  readonly stage: string;
  /** The slots that may claim it. */
  readonly queue: string;
  readonly videoId: string;
  readonly attempt: number;
  /** The number of the stage's request within the attempt, from 0. */
  readonly revision?: number;
  /** Unique within stage, video, attempt and revision. */
  readonly name: string;
  /** Owner of the work: slots are shared fairly among tenants. */
  readonly tenant?: string;
  /** Where it reads from, such as a host, if slots are shared among those too. */
  readonly origin?: string;
  /** Expected work left for the video, in seconds. */
  readonly cost?: number;
  readonly payload?: unknown;
  /** Not before this many milliseconds from now, by the database clock. */
  readonly delayMs?: number;
};

export type ClaimedJob = {
  readonly id: number;
  readonly stage: string;
  readonly queue: string;
  readonly videoId: string;
  readonly attempt: number;
  readonly revision: number;
  readonly name: string;
  readonly tenant: string;
  readonly origin: string;
  readonly fence: number;
  /** Earlier tries that ended with a defect, and the reason of the latest defect or crash. */
  readonly tries: number;
  readonly lastFailure: string | null;
  /** How often its process or a child was killed in earlier tries. */
  readonly crashes: number;
  readonly blockedBy: BlockedBy | null;
  /** Milliseconds counted as blocked, without interruption, until it could be claimed. */
  readonly blockedMs: number;
  /** Milliseconds by the database's clock since it could be claimed. */
  readonly readyMs: number;
  readonly payload: unknown;
  readonly traceparent: string | null;
};

/** Purges are jobs that a cancellation does not end. */
export const purgeStage = 'purge';

/**
 * By how many seconds of work a job moves forward for each second of waiting: a job of an hour is overtaken by shorter
 * ones for at most a quarter of an hour.
 */
const AGEING = 4;

/** Identifies one claim of a job. */
export type JobFence = Pick<ClaimedJob, 'id' | 'fence'>;

/** Adds jobs inside the caller's transaction; existing ones are left unchanged. Returns how many were new. */
export async function addJobRows(client: Executor, jobs: readonly NewJobRow[]): Promise<number> {
  let added = 0;
  for (const job of jobs) {
    const { rowCount } = await client.query(
      `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, revision, name, tenant, cost, payload, traceparent,
         run_after, origin, rank, video_started)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 millisecond', $12,
         $8 + ${AGEING} * (extract(epoch FROM now())::float8 + $11 / 1000),
         EXISTS (SELECT FROM chassis.jobs
           WHERE stage = $1 AND video_id = $3 AND attempt = $4 AND queue = $2 AND video_started))
       ON CONFLICT (stage, video_id, attempt, revision, name) DO NOTHING`,
      [
        job.stage,
        job.queue,
        job.videoId,
        job.attempt,
        job.revision ?? 0,
        job.name,
        job.tenant ?? '',
        job.cost ?? 0,
        JSON.stringify(job.payload ?? {}),
        currentTraceparent() ?? null,
        job.delayMs ?? 0,
        job.origin ?? '',
      ],
    );
    added += rowCount ?? 0;
  }
  return added;
}

/**
 * Cancels every job of a video that is not done; running ones lose their lease. Purges continue.
 * @param before limits it to earlier attempts
 * @returns how many
 */
export async function cancelJobs(client: Executor, videoId: string, before?: number): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE chassis.jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE id IN (SELECT id FROM chassis.jobs
       WHERE video_id = $1 AND stage <> '${purgeStage}' AND state IN ('ready', 'running')
         AND ($2::int IS NULL OR attempt < $2)
       ORDER BY id FOR UPDATE)`,
    [videoId, before ?? null],
  );
  return rowCount ?? 0;
}

/**
 * Cancels the unfinished jobs of a stage's attempt, except those being claimed, renewed or ended right now: waiting for
 * them inside a job's own transaction could deadlock.
 */
export async function cancelStageJobs(
  client: Executor,
  { stage, videoId, attempt }: Pick<ClaimedJob, 'stage' | 'videoId' | 'attempt'>,
  states: readonly ('ready' | 'running')[] = ['ready', 'running'],
): Promise<void> {
  await client.query(
    `UPDATE chassis.jobs SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE id IN (SELECT id FROM chassis.jobs
       WHERE stage = $1 AND video_id = $2 AND attempt = $3 AND state = ANY ($4) FOR UPDATE SKIP LOCKED)`,
    [stage, videoId, attempt, states],
  );
}

/**
 * Removes jobs of a stage's attempt by their names, except those being claimed, renewed or ended right now.
 * @param running whether running ones lose their lease; they stay otherwise
 */
export async function removeNamedJobs(
  client: Executor,
  { stage, videoId, attempt }: Pick<ClaimedJob, 'stage' | 'videoId' | 'attempt'>,
  names: readonly string[],
  running: boolean,
): Promise<void> {
  await client.query(
    `DELETE FROM chassis.jobs WHERE id IN (SELECT id FROM chassis.jobs
       WHERE stage = $1 AND video_id = $2 AND attempt = $3 AND name = ANY ($4) AND (state <> 'running' OR $5)
       FOR UPDATE SKIP LOCKED)`,
    [stage, videoId, attempt, names, running],
  );
}

/** Removes the jobs of a video in any state. Purges continue. */
export async function removeJobs(client: Executor, videoId: string): Promise<void> {
  await client.query(
    `DELETE FROM chassis.jobs WHERE id IN (SELECT id FROM chassis.jobs
       WHERE video_id = $1 AND stage <> '${purgeStage}' ORDER BY id FOR UPDATE)`,
    [videoId],
  );
}

/** Removes the jobs that a purge of the attempt has left of a stage, whose row it removed. */
export async function removeStageJobs(
  client: Executor,
  { stage, videoId, attempt, revision }: Pick<ClaimedJob, 'stage' | 'videoId' | 'attempt' | 'revision'>,
): Promise<void> {
  await client.query('DELETE FROM chassis.jobs WHERE stage = $1 AND video_id = $2 AND attempt = $3 AND revision = $4', [
    stage,
    videoId,
    attempt,
    revision,
  ]);
}

/** A job of an attempt in any state, at any revision. */
export type KnownJob = {
  readonly name: string;
  readonly fence: number;
  readonly state: 'ready' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Milliseconds since it ended; null before. */
  readonly endedMs: number | null;
};

/** Every job of a stage's attempt. */
export async function listJobs(
  client: Executor,
  { stage, videoId, attempt }: Pick<ClaimedJob, 'stage' | 'videoId' | 'attempt'>,
): Promise<KnownJob[]> {
  const { rows } = await client.query<KnownJob>(
    `SELECT name, fence, state, extract(epoch FROM now() - finished_at)::float8 * 1000 AS "endedMs"
     FROM chassis.jobs WHERE stage = $1 AND video_id = $2 AND attempt = $3`,
    [stage, videoId, attempt],
  );
  return rows;
}

/** Moves a job to the slots of another queue, for its next claim. */
export async function setQueue(client: Executor, { id }: JobFence, queue: string): Promise<void> {
  await client.query('UPDATE chassis.jobs SET queue = $2 WHERE id = $1', [id, queue]);
}

/**
 * Runs a statement of a service that must change a row, provided that the job is still ours.
 * @param text builds the statement from the condition to put into its WHERE
 * @throws AppError ABORTED when no row was changed
 */
export async function queryUnderFence(
  client: Executor,
  { id, fence }: JobFence,
  values: readonly unknown[],
  text: (fenced: string) => string,
): Promise<void> {
  const [first, second] = [values.length + 1, values.length + 2];
  const fenced = `EXISTS (SELECT FROM chassis.jobs WHERE id = $${first} AND fence = $${second} AND jobs.state = 'running')`;
  const { rowCount } = await client.query(text(fenced), [...values, id, fence]);
  if (rowCount !== 1) throw leaseLost();
}

/**
 * Locks a job of ours until the transaction ends.
 * @throws AppError ABORTED when the fence is no longer ours
 */
export async function lockClaim(client: Executor, { id, fence }: JobFence): Promise<void> {
  const text = `SELECT 1 FROM chassis.jobs WHERE id = $1 AND fence = $2 AND state = 'running' FOR UPDATE`;
  if ((await client.query(text, [id, fence])).rowCount !== 1) throw leaseLost();
}

function leaseLost(): AppError {
  return new AppError('ABORTED', 'the lease was lost or the job was cancelled');
}

/** Extends the lease; false when the fence is no longer ours. */
export function renew(pool: Pool, job: JobFence, leaseMs: number, percent: number): Promise<boolean> {
  const set = `lease_until = now() + $3 * interval '1 millisecond', progress = $4`;
  return update(pool, job, set, [leaseMs, Math.round(percent)]);
}

/** Releases the job as if never claimed: stopping a process costs it nothing. */
export function release(pool: Pool, job: JobFence): Promise<boolean> {
  return update(pool, job, "state = 'ready', lease_until = NULL, run_after = now()");
}

/** Records that the job runs alone in its process from now on: only then is a crash its own. */
export function setQuarantined(pool: Pool, job: JobFence): Promise<boolean> {
  return update(pool, job, 'quarantined = true');
}

/** Sets that nothing blocks the job. */
export const unblocked = 'blocked_since = NULL, blocked_by = NULL, blocked_ms = 0';

const blocked = `blocked_by = $5, blocked_ms = $6,
  blocked_since = CASE WHEN blocked_by = $5 THEN blocked_since ELSE now() END`;

/**
 * What another try changes in a job's row, by what the failed one counts as; $5 is its reason or what blocks it, $6 for
 * how long.
 */
const counted = {
  defect: `tries = tries + 1, last_failure = $5, ${unblocked}`,
  crash: `crashes = crashes + 1, last_failure = $5, ${unblocked}`,
  dependency: blocked,
  missing: blocked,
} as const;

export type Retry = {
  readonly delayMs: number;
  readonly error: string;
  readonly counts: keyof typeof counted;
  /** Milliseconds counted as blocked until the next try. */
  readonly blockedMs: number;
  /** Of the failure. */
  readonly reason: string | null;
};

/** Schedules another try of the job; false when the fence is no longer ours. */
export function scheduleRetry(pool: Pool, job: JobFence, retry: Retry): Promise<boolean> {
  const { delayMs, error, counts, blockedMs, reason } = retry;
  const set = `state = 'ready', lease_until = NULL, run_after = now() + $3 * interval '1 millisecond', error = $4,
    ${counted[counts]}`;
  return update(pool, job, set, [delayMs, error, ...(counted[counts] === blocked ? [counts, blockedMs] : [reason])]);
}

type WithClient = (client: PoolClient) => Promise<void>;

/**
 * Postpones the job at no cost, in one transaction with the caller's writes.
 * @param error why, for the operator; without one the job keeps what it has
 * @throws AppError ABORTED when the fence is no longer ours
 */
export function postpone(
  pool: Pool,
  job: JobFence,
  { delayMs, error }: { readonly delayMs: number; readonly error?: string | undefined },
  also?: WithClient,
): Promise<void> {
  const set = `state = 'ready', lease_until = NULL, error = coalesce($4, error),
    run_after = now() + $3 * interval '1 millisecond', ${unblocked}`;
  return updateAnd(also, pool, job, set, [delayMs, error ?? null]);
}

/**
 * Ends the job, in one transaction with the caller's writes.
 * @param error why it failed; undefined if it is done
 * @throws AppError ABORTED when the fence is no longer ours
 */
export function finish(pool: Pool, job: JobFence, error: string | undefined, also?: WithClient): Promise<void> {
  const set = 'state = $3, error = $4, phases = $5, progress = 100, lease_until = NULL, finished_at = now()';
  const state = error === undefined ? 'done' : 'failed';
  return updateAnd(also, pool, job, set, [state, error ?? null, JSON.stringify(currentPhases())]);
}

/** Updates a job and runs `also` in one transaction. */
function updateAnd(also: WithClient | undefined, pool: Pool, ...change: JobChange): Promise<void> {
  return withTransaction(pool, async (client) => {
    if (!(await update(client, ...change))) throw leaseLost();
    await also?.(client);
  });
}

/** What to set in which job, and the values from $3 on. */
type JobChange = [job: JobFence, set: string, values?: readonly unknown[]];

/** Updates a job under its fence; false when the fence is no longer ours. */
async function update(client: Executor, ...[{ id, fence }, set, values = []]: JobChange): Promise<boolean> {
  const text = `UPDATE chassis.jobs SET ${set} WHERE id = $1 AND fence = $2 AND state = 'running'`;
  return (await client.query(text, [id, fence, ...values])).rowCount === 1;
}
