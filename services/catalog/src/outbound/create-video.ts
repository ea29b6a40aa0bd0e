/** Accepting a video: row, first stage, its request and the day's charge in one statement (spec §8, design §5). */
import { AppError } from '@vds/shared/errors';
import type { Pool } from '@vds/shared/database';
import { outboxFragment } from '@vds/shared/outbox';
import { currentTraceparent } from '@vds/shared/telemetry';
import pg from 'pg';
import { stages } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';
import { requestMessage } from './messages.ts';

export type NewVideo = Pick<
  Video,
  | 'id'
  | 'publisherId'
  | 'sourceUrl'
  | 'title'
  | 'summary'
  | 'tags'
  | 'thumbnailUrl'
  | 'sport'
  | 'category'
  | 'languageCode'
> & { readonly keyId: string; readonly budgetId: string; readonly dailyLimit: number };

/** The day's budget by the database's clock; days end at 00:00 UTC. */
export type Daily = { readonly limit: number; readonly remaining: number; readonly resetsInSeconds: number };
export type Accepted = { readonly accepted: boolean; readonly made: boolean; readonly daily: Daily };

/** Today by the database's clock, and the seconds until it ends. */
export const day = `SELECT (now() AT TIME ZONE 'UTC')::date AS today,
  GREATEST(1, CEIL(EXTRACT(EPOCH FROM
    date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day' - (now() AT TIME ZONE 'UTC'))))::int AS resets`;

const createSql = (said: string): string => `WITH day AS (${day}),
  existing AS (SELECT publisher_id FROM videos WHERE id = $1),
  charge AS (
    INSERT INTO daily_counts AS d (budget_id, day, used)
    SELECT $4, today, 1 FROM day WHERE $5::int > 0 AND NOT EXISTS (SELECT FROM existing)
    ON CONFLICT (budget_id, day) DO UPDATE SET used = d.used + 1 WHERE d.used < $5::int
    RETURNING used),
  made AS (
    INSERT INTO videos (id, publisher_id, key_id, budget_id, source_url, title, summary, tags, thumbnail_url, sport,
      category, language_code, traceparent)
    SELECT $1, $2, $3, $4, $6, $7, $8, $9::text[], $10, $11, $12, $13, $14 FROM charge
    RETURNING id),
  asked AS (
    INSERT INTO stages (video_id, attempt, stage, owner, remind_at)
    SELECT made.id, 1, first.stage, first.owner, now() + $15::float8 * interval '1 ms'
    FROM made, unnest($16::text[], $17::text[]) AS first (stage, owner)),
  said AS (${said})
  SELECT (SELECT publisher_id FROM existing) AS owner, EXISTS (SELECT FROM made) AS made, resets,
    COALESCE((SELECT used FROM charge), (SELECT used FROM daily_counts WHERE budget_id = $4 AND day = today), 0) AS used
  FROM day`;

type Row = { owner: string | null; made: boolean; resets: number; used: number };

/** The stages that need nothing: what a new video begins with. */
const first = stages.filter((stage) => stage.needs.length === 0);

const create = async (pool: Pool, video: NewVideo, remindFirstMs: number): Promise<Row> => {
  const now = new Date();
  const asked = { ...video, attempt: 1, durationMs: null, createdAt: now, transcriptKey: null };
  const said = outboxFragment(
    first.map(({ name }) => requestMessage({ stage: name, revision: 0 }, asked, {})),
    18,
    'made',
  );
  const values = [
    video.id,
    video.publisherId,
    video.keyId,
    video.budgetId,
    video.dailyLimit,
    video.sourceUrl,
    video.title,
    video.summary,
    video.tags,
    video.thumbnailUrl,
    video.sport,
    video.category,
    video.languageCode,
    currentTraceparent() ?? null,
    remindFirstMs,
    first.map((stage) => stage.name),
    first.map((stage) => stage.owner),
    ...said.values,
  ];
  const { rows } = await pool.query<Row>({ name: 'catalog-create', text: createSql(said.sql), values });
  return rows[0] as Row;
};

const exists = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query({
    name: 'catalog-exists',
    text: 'SELECT FROM videos WHERE id = $1',
    values: [id],
  });
  return rowCount === 1;
};

const isDuplicate = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '23505';

/**
 * Accepts `video` unless the day's budget is spent. The same id again is the same video and no second charge.
 * @param remindFirstMs when the first request is said again, if nothing is heard
 * @throws AppError ALREADY_EXISTS when the id is another publisher's
 */
export const createVideo = async (pool: Pool, video: NewVideo, remindFirstMs: number): Promise<Accepted> => {
  // A twin that committed in between is seen by the second try.
  const tried = await create(pool, video, remindFirstMs).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    return create(pool, video, remindFirstMs);
  });
  // It may have taken the day's last place while this one waited for it: that is no refusal.
  const refused = !tried.made && tried.owner === null;
  const row = refused && (await exists(pool, video.id)) ? await create(pool, video, remindFirstMs) : tried;
  if (row.owner !== null && row.owner !== video.publisherId)
    throw new AppError('ALREADY_EXISTS', 'the id belongs to another video');
  const accepted = row.made || row.owner !== null;
  const remaining = accepted ? Math.max(0, video.dailyLimit - row.used) : 0;
  return { accepted, made: row.made, daily: { limit: video.dailyLimit, remaining, resetsInSeconds: row.resets } };
};

/** The day's budget as it stands. */
export const dailyCount = async (pool: Pool, budgetId: string, limit: number): Promise<Daily> => {
  const { rows } = await pool.query<{ resets: number; used: number }>({
    name: 'catalog-daily-count',
    text: `WITH day AS (${day}) SELECT resets,
      COALESCE((SELECT used FROM daily_counts WHERE budget_id = $1 AND day = today), 0) AS used FROM day`,
    values: [budgetId],
  });
  const { resets = 1, used = 0 } = rows[0] ?? {};
  return { limit, remaining: Math.max(0, limit - used), resetsInSeconds: resets };
};
