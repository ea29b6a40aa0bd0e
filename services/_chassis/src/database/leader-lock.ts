/** Locks for periodic tasks that one replica runs at a time. */
import type { Pool } from './database.ts';

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
