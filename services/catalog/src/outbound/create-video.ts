/** Accepting a video: row, first stage, its request and the day's charge in one statement (spec §8, design §5). */
import { AppError } from '@vds/chassis/errors';
import { withClient, type Pool } from '@vds/chassis/database/database';
import { outboxFragment } from '@vds/chassis/database/outbox';
import { currentTraceparent } from '@vds/chassis/telemetry/telemetry';
import pg from 'pg';
import { stages } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';
import { requestMessage } from './publisher.ts';

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

// Asked once the day's row is ours: waiting for it may have taken longer than the caller waits.
const inTime = "clock_timestamp() < statement_timestamp() + $18::float8 * interval '1 ms'";

type Row = { owner: string | null; made: boolean; resets: number; used: number; late: boolean };

/** A call's time that no database needs. */
const LONGEST_MS = 3_600_000;
/** What the answer needs on its way: a caller whose time ends meanwhile has given up, though here it seems not to have. */
const REPLY_MS = 100;

/** The stages that need nothing: what a new video begins with. */
const first = stages.filter((stage) => stage.needs.length === 0);

/**
 * Accepts `video` unless the day's budget is spent. The same id again is the same video and no second charge.
 * @param remindFirstMs when the first request is said again, if nothing is heard
 * @param leftMs how long the caller still waits: nothing is accepted that nobody would hear of
 * @throws AppError ALREADY_EXISTS when the id is another publisher's, DEADLINE_EXCEEDED when it took too long
 */
export async function createVideo(
  pool: Pool,
  video: NewVideo,
  remindFirstMs: number,
  leftMs: () => number,
): Promise<Accepted> {
  const attempt = (): Promise<Row> => create(pool, video, remindFirstMs, leftMs);
  // A twin that committed in between is seen by the second try.
  const tried = await attempt().catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
    return attempt();
  });
  // It may have taken the day's last place while this one waited for it: that is no refusal.
  const refused = !tried.made && tried.owner === null;
  const row = refused && (await exists(pool, video.id)) ? await attempt() : tried;
  if (row.owner !== null && row.owner !== video.publisherId)
    throw new AppError('ALREADY_EXISTS', 'the id belongs to another video');
  const accepted = row.made || row.owner !== null;
  if (!accepted && row.late) throw new AppError('DEADLINE_EXCEEDED', 'the video was not accepted in time');
  const remaining = accepted ? Math.max(0, video.dailyLimit - row.used) : 0;
  return { accepted, made: row.made, daily: { limit: video.dailyLimit, remaining, resetsInSeconds: row.resets } };
}

async function create(pool: Pool, video: NewVideo, remindFirstMs: number, leftMs: () => number): Promise<Row> {
  const now = new Date();
  const asked = { ...video, attempt: 1, durationMs: null, createdAt: now, transcriptKey: null };
  const said = outboxFragment(
    first.map(({ name }) => requestMessage({ stage: name, revision: 0 }, asked, {})),
    19,
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
  ];
  const text = createSql(said.sql);
  // Only with a connection at hand is it known how much time is left: many may have waited for one.
  const { rows } = await withClient(pool, (client) =>
    client.query<Row>({
      name: 'catalog-create',
      text,
      values: [...values, Math.min(leftMs() - REPLY_MS, LONGEST_MS), ...said.values],
    }),
  );
  return rows[0] as Row;
}

function createSql(said: string): string {
  return `WITH day AS (${day}),
  existing AS (SELECT publisher_id FROM videos WHERE id = $1),
  charge AS (
    INSERT INTO daily_counts AS d (budget_id, day, used)
    SELECT $4, today, 1 FROM day WHERE $5::int > 0 AND NOT EXISTS (SELECT FROM existing)
    ON CONFLICT (budget_id, day) DO UPDATE SET used = d.used + 1 WHERE d.used < $5::int AND ${inTime}
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
  SELECT (SELECT publisher_id FROM existing) AS owner, EXISTS (SELECT FROM made) AS made, resets, NOT (${inTime}) AS late,
    COALESCE((SELECT used FROM charge), (SELECT used FROM daily_counts WHERE budget_id = $4 AND day = today), 0) AS used
  FROM day`;
}

function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

async function exists(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'catalog-exists',
    text: 'SELECT FROM videos WHERE id = $1',
    values: [id],
  });
  return rowCount === 1;
}

/** The day's budget as it stands. */
export async function dailyCount(pool: Pool, budgetId: string, limit: number): Promise<Daily> {
  const { rows } = await pool.query<{ resets: number; used: number }>({
    name: 'catalog-daily-count',
    text: `WITH day AS (${day}) SELECT resets,
      COALESCE((SELECT used FROM daily_counts WHERE budget_id = $1 AND day = today), 0) AS used FROM day`,
    values: [budgetId],
  });
  const { resets = 1, used = 0 } = rows[0] ?? {};
  return { limit, remaining: Math.max(0, limit - used), resetsInSeconds: resets };
}
