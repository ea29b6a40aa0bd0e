/**
 * Waits of jobs after the database's clock was set back: a time of that clock that was written before lies further ahead
 * than any pause or lease was meant to last.
 */
import type { Executor } from '../database/database.ts';

// Not now(): what another transaction has committed since this one began would look like the future.
const restartSql = `UPDATE chassis.jobs SET run_after = now() + (run_after - timed_at),
    lease_until = now() + (lease_until - timed_at), timed_at = now()
  WHERE id IN (SELECT id FROM chassis.jobs
    WHERE id IN (SELECT id FROM chassis.jobs WHERE state = 'ready' AND timed_at > clock_timestamp()
      UNION ALL SELECT id FROM chassis.jobs WHERE state = 'running' AND timed_at > clock_timestamp())
    ORDER BY id FOR UPDATE SKIP LOCKED)`;

/**
 * Begins anew what was scheduled or leased later than now: no job waits longer than it was told to, and the lease of a
 * worker that is gone expires. One that is alive renews its lease meanwhile.
 * @returns how many
 */
export async function restartWaits(client: Executor): Promise<number> {
  const { rowCount } = await client.query(restartSql);
  return rowCount ?? 0;
}
