/** Work that one replica at a time does, and whose time has come. */
import type { Pool } from '@vds/chassis/database/database';

/**
 * Takes the turn at work that one replica at a time does. A turn from the future is of a clock that was set back.
 * @returns false when another replica took it less than `gapMs` ago
 */
export async function tryAcquire(pool: Pool, name: string, gapMs: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-turn',
    text: `UPDATE turns SET at = clock_timestamp() WHERE name = $1
      AND (at <= clock_timestamp() - $2::float8 * interval '1 ms' OR at > clock_timestamp())`,
    values: [name, gapMs],
  });
  return rowCount === 1;
}

/** Ids of at most 200 videos that time alone may change now, longest due first. */
export async function dueVideos(pool: Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ video_id: string }>({
    name: 'catalog-due',
    text: `SELECT video_id FROM (
        (SELECT video_id, due_at FROM stages WHERE due_at <= now() ORDER BY due_at LIMIT 200)
        UNION ALL
        (SELECT id, due_at FROM videos WHERE due_at <= now() ORDER BY due_at LIMIT 200)) AS due
      GROUP BY video_id ORDER BY min(due_at) LIMIT 200`,
  });
  return rows.map((row) => row.video_id);
}
