/**
 * The statements on `chassis.work`. Every one that ends or renews a unit is guarded by its fence.
 *
 * Transactions lock in one order, or two wait for each other until PostgreSQL throws one of them away: the group
 * (`lockGroup`); units; stages and what a service keeps beside them; the outbox. Who ends a unit holds its row from the
 * first statement on, and takes others of its group with SKIP LOCKED alone; everybody else takes units by their ids.
 */
import { withTransaction, type Executor, type Pool, type PoolClient } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { currentTraceparent } from '../telemetry/telemetry.ts';

export type NewWork = {
  readonly queue: string;
  /** What belongs together and is cancelled or purged together. */
  readonly groupKey: string;
  readonly attempt: number;
  /** Unique within queue, group and attempt. */
  readonly unit: string;
  /** Whose work it is: tenants take turns. */
  readonly tenant?: string;
  /** Expected work left for the group, in seconds or any one unit. */
  readonly cost?: number;
  readonly payload?: unknown;
  /** Not before this many milliseconds from now, by the database clock. */
  readonly delayMs?: number;
};

export type Claimed = {
  readonly id: number;
  readonly queue: string;
  readonly groupKey: string;
  readonly attempt: number;
  readonly unit: string;
  readonly tenant: string;
  readonly fence: number;
  /** 1 for the first try. */
  readonly tries: number;
  readonly payload: unknown;
  readonly traceparent: string | null;
};

const claimSql = `
WITH busy AS (
  SELECT tenant, count(*) AS units FROM chassis.work
  WHERE queue = $1 AND state = 'running' AND lease_until > now() GROUP BY tenant
), next AS (
  SELECT w.id FROM chassis.work w LEFT JOIN busy b USING (tenant)
  WHERE w.queue = $1
    AND ((w.state = 'ready' AND w.run_after <= now()) OR (w.state = 'running' AND w.lease_until <= now()))
  ORDER BY coalesce(b.units, 0), w.cost, w.id
  LIMIT 1 FOR UPDATE OF w SKIP LOCKED
)
UPDATE chassis.work SET state = 'running', fence = fence + 1, tries = tries + 1,
  lease_until = now() + $2 * interval '1 millisecond', started_at = coalesce(started_at, now())
FROM next WHERE work.id = next.id
RETURNING work.id, queue, group_key AS "groupKey", attempt, unit, tenant, fence, tries, payload, traceparent`;

/** Adds units inside the caller's transaction; one that is there already is left alone. Returns how many were new. */
export async function enqueue(client: Executor, units: readonly NewWork[]): Promise<number> {
  let added = 0;
  for (const unit of units) {
    const { rowCount } = await client.query(
      `INSERT INTO chassis.work (queue, group_key, attempt, unit, tenant, cost, payload, traceparent, run_after)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 millisecond')
       ON CONFLICT (queue, group_key, attempt, unit) DO NOTHING`,
      [
        unit.queue,
        unit.groupKey,
        unit.attempt,
        unit.unit,
        unit.tenant ?? '',
        unit.cost ?? 0,
        JSON.stringify(unit.payload ?? {}),
        currentTraceparent() ?? null,
        unit.delayMs ?? 0,
      ],
    );
    added += rowCount ?? 0;
  }
  return added;
}

/**
 * Cancels every unit of a group that is not done; running ones lose their lease.
 * @param before limits it to earlier attempts
 * @returns how many
 */
export async function cancelGroup(client: Executor, groupKey: string, before?: number): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE chassis.work SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE id IN (SELECT id FROM chassis.work
       WHERE group_key = $1 AND state IN ('ready', 'running') AND ($2::int IS NULL OR attempt < $2)
       ORDER BY id FOR UPDATE)`,
    [groupKey, before ?? null],
  );
  return rowCount ?? 0;
}

/**
 * Cancels the units of one attempt that are not done, all but those that are being claimed, renewed or ended in this very
 * moment: waiting for them from within a unit's own transaction could be for ever.
 */
export async function cancelAttempt(
  client: Executor,
  { groupKey, attempt }: { readonly groupKey: string; readonly attempt: number },
): Promise<void> {
  await client.query(
    `UPDATE chassis.work SET state = 'cancelled', finished_at = now(), lease_until = NULL
     WHERE id IN (SELECT id FROM chassis.work
       WHERE group_key = $1 AND attempt = $2 AND state IN ('ready', 'running') FOR UPDATE SKIP LOCKED)`,
    [groupKey, attempt],
  );
}

/** Takes the next unit of a queue, or undefined when nothing is ready. */
export async function claim(pool: Pool, queue: string, leaseMs: number): Promise<Claimed | undefined> {
  const { rows } = await pool.query<Claimed>({ name: 'chassis-work-claim', text: claimSql, values: [queue, leaseMs] });
  return rows[0];
}

/** Lengthens the lease; false when the fence is no longer ours. */
export async function renew(pool: Pool, job: Claimed, leaseMs: number, percent: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `UPDATE chassis.work SET lease_until = now() + $3 * interval '1 millisecond', progress = $4
     WHERE id = $1 AND fence = $2 AND state = 'running'`,
    [job.id, job.fence, leaseMs, Math.round(percent)],
  );
  return rowCount === 1;
}

/** Puts the unit back as if it had never been claimed: stopping a process costs no try. */
export async function release(pool: Pool, job: Claimed): Promise<void> {
  await pool.query(
    `UPDATE chassis.work SET state = 'ready', tries = tries - 1, lease_until = NULL, run_after = now()
     WHERE id = $1 AND fence = $2 AND state = 'running'`,
    [job.id, job.fence],
  );
}

/** Puts the unit back for another try after a while. */
export async function scheduleRetry(pool: Pool, job: Claimed, delayMs: number, error: string): Promise<void> {
  await pool.query(
    `UPDATE chassis.work SET state = 'ready', lease_until = NULL, error = $4,
       run_after = now() + $3 * interval '1 millisecond'
     WHERE id = $1 AND fence = $2 AND state = 'running'`,
    [job.id, job.fence, delayMs, error],
  );
}

/**
 * Ends the unit, together with what the caller writes.
 * @throws AppError ABORTED when the fence is no longer ours
 */
export async function finish(
  pool: Pool,
  job: Claimed,
  state: 'done' | 'failed',
  outcome: { readonly result?: unknown; readonly error?: string },
  also?: (client: PoolClient) => Promise<void>,
): Promise<void> {
  return withTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE chassis.work SET state = $3, result = $4, error = $5, progress = 100, lease_until = NULL, finished_at = now()
       WHERE id = $1 AND fence = $2 AND state = 'running'`,
      [
        job.id,
        job.fence,
        state,
        outcome.result === undefined ? null : JSON.stringify(outcome.result),
        outcome.error ?? null,
      ],
    );
    if (rowCount !== 1) throw new AppError('ABORTED', 'the lease was lost or the unit was cancelled');
    await also?.(client);
  });
}
