/** The work of CreateVideo and GetVideo in this process: the same statements. */
import type pg from 'pg';
import { createVideo } from '@vds/catalog/outbound/create-video';

type Admitted = {
  readonly publisherId: string;
  readonly keyId: string;
  readonly budgetId: string;
  readonly dailyLimit: number;
};

/** Stores a video that an admitted key submits. */
export async function bareCreate(
  pool: pg.Pool,
  id: string,
  { publisherId, keyId, budgetId, dailyLimit }: Admitted,
  { sourceUrl, title }: { readonly sourceUrl: string; readonly title: string },
): Promise<void> {
  const nothing = { summary: null, thumbnailUrl: null, sport: null, category: null };
  const owner = { id, publisherId, keyId, budgetId, dailyLimit };
  const video = { ...owner, ...nothing, sourceUrl, title, tags: [], languageCode: 'en' };
  const metrics = { accepted: () => {}, overDailyLimit: () => {} };
  const times = { republishFirstMs: 15_000 };
  await createVideo({ pool, metrics, notify: () => {}, ...times }, video, () => Infinity);
}

/** A video with its stages; undefined if the publisher has no video with this id. */
export async function bareGet(pool: pg.Pool, id: string, publisherId: string): Promise<object | undefined> {
  const { rows } = await pool.query<object>({
    name: 'bare-get',
    text: 'SELECT v.*, (SELECT json_agg(s) FROM stages s WHERE s.video_id = v.id) AS stages FROM videos v WHERE id = $1 AND publisher_id = $2',
    values: [id, publisherId],
  });
  return rows[0];
}
