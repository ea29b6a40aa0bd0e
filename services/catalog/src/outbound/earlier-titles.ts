/** Titles of a publisher's other videos, with which captions spell the names that it uses. */
import type { Executor } from '@vds/chassis/database/database';
import type { StageRequest } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';

const MAX_TITLES = 50;

/** The newest titles first; none where `requests` do not ask for captions, which alone read them. */
export async function earlierTitles(
  pool: Executor,
  { id, publisherId }: Pick<Video, 'id' | 'publisherId'>,
  requests: readonly Pick<StageRequest, 'stage'>[],
): Promise<readonly string[]> {
  if (!requests.some(({ stage }) => stage === 'captions')) return [];
  const { rows } = await pool.query<{ title: string }>({
    name: 'catalog-earlier-titles',
    // Ids rise with time by the second: the index of a publisher's ids is read from its end.
    text: `SELECT title FROM videos WHERE publisher_id = $1 AND id <> $2 AND state <> 'deleted' ORDER BY id DESC LIMIT $3`,
    values: [publisherId, id, MAX_TITLES],
  });
  return rows.map(({ title }) => title);
}
