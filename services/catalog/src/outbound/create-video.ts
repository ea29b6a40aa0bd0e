/** Accepts a video: row, first stage, its request and the daily count in one statement (spec §8). */
import { AppError } from '@vds/chassis/errors';
import { withClient, type Pool } from '@vds/chassis/database/database';
import { outboxFragment } from '@vds/chassis/database/outbox';
import { failpoint } from '@vds/chassis/failpoint/failpoint';
import { currentTraceparent } from '@vds/chassis/telemetry/telemetry';
import pg from 'pg';
import { stages } from '../domain/stages.ts';
import type { Video } from '../domain/video.ts';
import type { CatalogMetrics } from './metrics.ts';
import { requestMessage } from './publisher.ts';
import { daySql, spentSql, type DailyBudget } from './usage.ts';

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
> & {
  readonly keyId: string;
  readonly budgetId: string;
  readonly dailyLimit: number;
  /** Of the partner; '' or left out: none. */
  readonly idempotencyKey?: string;
  /** SHA-256 of the request as parsed JSON. */
  readonly requestHash?: Buffer;
};

/** The day's budget by the database's clock; days end at 00:00 UTC. */
export type Daily = { readonly limit: number; readonly remaining: number; readonly resetsInSeconds: number };
export type Accepted = {
  readonly accepted: boolean;
  /** The accepted video; an earlier one when its idempotency key was sent again. */
  readonly id: string;
  readonly daily: Daily;
  /** If it was not accepted. */
  readonly spentBudget?: DailyBudget;
};

/** How long an idempotency key names its video, by the database's clock. */
export const IDEMPOTENCY_KEEP_MS = 86_400_000;

export type Deps = {
  readonly pool: Pool;
  readonly metrics: Pick<CatalogMetrics, 'accepted' | 'overDailyLimit'>;
  /** Makes the relay publish committed messages. */
  readonly notify: () => void;
  /** When the first request is republished, if it has no reply. */
  readonly republishFirstMs: number;
};

type Row = {
  owner: string | null;
  /** Of the video that the idempotency key made before; null: none. */
  earlier: string | null;
  isSameRequest: boolean | null;
  created: boolean;
  resets: number;
  used: number;
  late: boolean;
  spent: DailyBudget | null;
};

/** Longer than the database ever takes for a call. */
const MAX_MS = 3_600_000;
/** Reserved for the reply, so that it arrives before the caller's deadline. */
const REPLY_MS = 100;

/** The stages without needs: where a new video starts. */
const firstStages = stages.filter((stage) => stage.needs.length === 0);

/**
 * Accepts `video` unless a budget of the day is spent. The same id again is the same video and no second charge.
 * @param leftMs how long the caller still waits: a video whose caller would never see the reply is not accepted
 * @throws AppError ALREADY_EXISTS when the id is another publisher's, DEADLINE_EXCEEDED when it took too long,
 *   FAILED_PRECONDITION when the idempotency key was used for another request
 */
export async function createVideo(deps: Deps, video: NewVideo, leftMs: () => number): Promise<Accepted> {
  const attempt = (): Promise<Row> => insert(deps, video, leftMs);
  // The next try sees a concurrent request with the same id or idempotency key that was committed in between.
  const attemptAgain = (error: unknown): Promise<Row> => {
    if (!isDuplicate(error)) throw error;
    return attempt();
  };
  const tried = await attempt()
    .catch(async (error: unknown) => {
      if (isDuplicate(error)) await removeExpiredKey(deps, video);
      return attemptAgain(error);
    })
    .catch(attemptAgain);
  // That request may also have taken the day's last place while this one waited for it: then this is not a rejection.
  const rejected = !tried.created && tried.owner === null && tried.earlier === null;
  const row = rejected && (await exists(deps.pool, video)) ? await attempt() : tried;
  if (row.owner !== null && row.owner !== video.publisherId)
    throw new AppError('ALREADY_EXISTS', 'the id belongs to another video');
  if (row.earlier !== null && row.isSameRequest !== true)
    throw new AppError('FAILED_PRECONDITION', 'Idempotency-Key was sent before, with another body: use a new key.', {
      details: { param: 'Idempotency-Key' },
    });
  const accepted = row.created || row.owner !== null || row.earlier !== null;
  if (!accepted && row.late) throw new AppError('DEADLINE_EXCEEDED', 'the video was not accepted in time');
  if (row.created) deps.metrics.accepted();
  if (!accepted) deps.metrics.overDailyLimit();
  deps.notify();
  const remaining = accepted ? Math.max(0, video.dailyLimit - row.used) : 0;
  const daily = { limit: video.dailyLimit, remaining, resetsInSeconds: row.resets };
  const id = row.earlier ?? video.id;
  return accepted ? { accepted, id, daily } : { accepted, id, daily, spentBudget: row.spent ?? 'requests' };
}

/** Retention removes it some time after its end, at which the partner may use it again. */
async function removeExpiredKey({ pool }: Deps, { publisherId, idempotencyKey }: NewVideo) {
  const text = `DELETE FROM idempotency_keys
    WHERE publisher_id = $1 AND key = $2 AND created_at <= now() - $3::float8 * interval '1 ms'`;
  await pool.query(text, [publisherId, idempotencyKey ?? '', IDEMPOTENCY_KEEP_MS]);
}

function insert({ pool, republishFirstMs }: Deps, video: NewVideo, leftMs: () => number): Promise<Row> {
  // The time left is known only once there is a connection: many calls may have waited for one.
  return withClient(pool, async (client) => {
    const statement = createStatement(video, republishFirstMs, Math.min(leftMs() - REPLY_MS, MAX_MS));
    await failpoint('catalog.insert-ready');
    const sent = client.query<Row>({ name: 'catalog-create', ...statement });
    await failpoint('catalog.insert-sent');
    const { rows } = await sent;
    return rows[0] as Row;
  });
}

function createStatement(video: NewVideo, republishFirstMs: number, leftMs: number) {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const [id, publisherId, budgetId] = [bind(video.id), bind(video.publisherId), bind(video.budgetId)];
  const limit = `${bind(video.dailyLimit)}::int`;
  // Checked once the day's row is locked: waiting for the lock may have taken longer than the caller waits.
  const inTime = `clock_timestamp() < statement_timestamp() + ${bind(leftMs)}::float8 * interval '1 ms'`;
  const texts = [video.sourceUrl, video.title, video.summary, video.thumbnailUrl, video.sport, video.category];
  const input = [...texts, video.languageCode, video.keyId, currentTraceparent() ?? null].map(bind).join(', ');
  const names = bind(firstStages.map((stage) => stage.name));
  const owners = bind(firstStages.map((stage) => stage.owner));
  const firstAt = `now() + ${bind(republishFirstMs)}::float8 * interval '1 ms'`;
  const created = { ...video, attempt: 1, durationMs: null, transcriptKey: null };
  const key = bind(video.idempotencyKey ?? '');
  const isLive = `created_at > now() - ${bind(IDEMPOTENCY_KEEP_MS)}::float8 * interval '1 ms'`;
  const hash = `${bind(video.requestHash ?? Buffer.alloc(0))}::bytea`;
  const messages = firstStages.map(({ name }) => requestMessage({ stage: name, revision: 0 }, created, {}));
  const text = `WITH day AS (${daySql}),
  existing AS (SELECT publisher_id FROM videos WHERE id = ${id}),
  earlier AS (SELECT video_id, request_hash FROM idempotency_keys
    WHERE publisher_id = ${publisherId} AND key = ${key} AND ${isLive}),
  spent AS (${spentSql(publisherId)}),
  charge AS (
    INSERT INTO daily_counts AS d (budget_id, day, used)
    SELECT ${budgetId}, today, 1 FROM day
      WHERE ${limit} > 0 AND NOT EXISTS (SELECT FROM existing) AND NOT EXISTS (SELECT FROM earlier)
        AND NOT EXISTS (SELECT FROM spent)
    ON CONFLICT (budget_id, day) DO UPDATE SET used = d.used + 1 WHERE d.used < ${limit} AND ${inTime}
    RETURNING used),
  created AS (
    INSERT INTO videos (id, publisher_id, budget_id, tags, source_url, title, summary, thumbnail_url, sport, category,
      language_code, key_id, traceparent)
    SELECT ${id}, ${publisherId}, ${budgetId}, ${bind(video.tags)}::text[], ${input} FROM charge
    RETURNING id),
  remembered AS (
    INSERT INTO idempotency_keys (publisher_id, key, video_id, request_hash)
    SELECT ${publisherId}, ${key}, created.id, ${hash} FROM created WHERE ${key} <> ''),
  requested AS (
    INSERT INTO stages (video_id, attempt, stage, owner, next_republish_at)
    SELECT created.id, 1, first.stage, first.owner, ${firstAt}
    FROM created, unnest(${names}::text[], ${owners}::text[]) AS first (stage, owner)),
  published AS (${outboxFragment(messages, values, 'created')})
  SELECT (SELECT publisher_id FROM existing) AS owner, (SELECT video_id FROM earlier) AS earlier,
    (SELECT request_hash = ${hash} FROM earlier) AS "isSameRequest", EXISTS (SELECT FROM created) AS created, resets,
    NOT (${inTime}) AS late, (SELECT budget FROM spent) AS spent, COALESCE((SELECT used FROM charge),
      (SELECT used FROM daily_counts WHERE budget_id = ${budgetId} AND day = today), 0) AS used
  FROM day`;
  return { text, values };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}

async function exists(pool: Pool, { id, publisherId, idempotencyKey }: NewVideo): Promise<boolean> {
  const text = `SELECT FROM videos WHERE id = $1
    UNION ALL SELECT FROM idempotency_keys WHERE publisher_id = $2 AND key = $3`;
  const query = { name: 'catalog-exists', text, values: [id, publisherId, idempotencyKey ?? ''] };
  return (await pool.query(query)).rowCount !== 0;
}

export type DailyCountQuery = { readonly budgetId: string; readonly dailyLimit: number; readonly publisherId: string };

/** The day's budget of requests as it stands; nothing remains of it once another budget of the publisher is spent. */
export async function dailyCount(pool: Pool, query: DailyCountQuery): Promise<Daily> {
  const { budgetId, dailyLimit: limit, publisherId } = query;
  const { rows } = await pool.query<{ resets: number; used: number; spent: boolean }>({
    name: 'catalog-daily-count',
    text: `WITH day AS (${daySql}) SELECT resets, EXISTS (${spentSql('$2')}) AS spent,
      COALESCE((SELECT used FROM daily_counts WHERE budget_id = $1 AND day = today), 0) AS used FROM day`,
    values: [budgetId, publisherId],
  });
  const { resets = 1, used = 0, spent = false } = rows[0] ?? {};
  return { limit, remaining: spent ? 0 : Math.max(0, limit - used), resetsInSeconds: resets };
}
