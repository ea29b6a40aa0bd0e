/** A deleted video keeps its numbers and loses its title: noted here, and done for many videos at a time. */
import type { Executor, Pool } from '@vds/chassis/database/database';
import type { EventStore } from './store.ts';

const MAX_VIDEOS = 10_000;

export async function addDeleted(client: Executor, videoId: string): Promise<void> {
  await client.query('INSERT INTO deleted_videos (video_id) VALUES ($1) ON CONFLICT (video_id) DO NOTHING', [videoId]);
}

/** @param afterMs so long after the deletion: reports that were under way are stored by then */
export async function removeTitles(
  pool: Pool,
  store: Pick<EventStore, 'removeTitles'>,
  afterMs: number,
): Promise<void> {
  const { rows } = await pool.query<{ video_id: string }>(
    `SELECT video_id FROM deleted_videos WHERE deleted_at < now() - $1::float8 * interval '1 ms' LIMIT $2`,
    [afterMs, MAX_VIDEOS],
  );
  const videoIds = rows.map((row) => row.video_id);
  if (videoIds.length === 0) return;
  await store.removeTitles(videoIds);
  await pool.query('DELETE FROM deleted_videos WHERE video_id = ANY($1)', [videoIds]);
}
