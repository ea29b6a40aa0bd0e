/** Locks for periodic tasks that one replica runs at a time. */
import type { Pool } from '@vds/chassis/database/database';

/**
 * Takes the lock. A time of acquisition in the future was written before a clock was set back.
 * @returns false when another replica took it less than `gapMs` ago
 */
export async function tryAcquire(pool: Pool, name: string, gapMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-try-acquire',
    text: `UPDATE leader_locks SET acquired_at = clock_timestamp() WHERE name = $1
      AND (acquired_at <= clock_timestamp() - $2::float8 * interval '1 ms' OR acquired_at > clock_timestamp())`,
    values: [name, gapMs],
  });
  return rowCount === 1;
}
