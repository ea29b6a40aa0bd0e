/** Locks for periodic tasks that one replica runs at a time. */
import type { Pool } from './database.ts';

/**
 * Runs a task, unless another replica has taken its lock less than `gapMs` ago. A run that fails gives the lock back:
 * the task is still to be done, and its retry must not be taken for the run of another replica.
 * @throws what the task throws
 */
export async function runExclusively(pool: Pool, name: string, gapMs: number, run: () => Promise<void>): Promise<void> {
  if (!(await tryAcquire(pool, name, gapMs))) return;
  try {
    await run();
  } catch (error) {
    // Without its database the task is put off until the lock has expired.
    await pool.query('DELETE FROM chassis.leader_locks WHERE name = $1', [name]).catch(() => undefined);
    throw error;
  }
}

/**
 * Takes the lock. A time of acquisition in the future was written before a clock was set back.
 * @param gapMs how long the lock stays taken, in milliseconds
 * @returns false when another replica took it less than `gapMs` ago
 */
export async function tryAcquire(pool: Pool, name: string, gapMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'chassis-try-acquire',
    text: `INSERT INTO chassis.leader_locks AS held (name, acquired_at) VALUES ($1, clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET acquired_at = clock_timestamp()
      WHERE held.acquired_at <= clock_timestamp() - $2::float8 * interval '1 ms' OR held.acquired_at > clock_timestamp()`,
    values: [name, gapMs],
  });
  return rowCount === 1;
}
