/** Reads beside the partner's record: for playback, the apps, the search index and the operator. */
import { auditPage, invalidCursor, pageOf, pageSizeOf, type AuditQuery } from '@vds/chassis/database/audit';
import { AppError, notFound } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import type { ClipFields, DescriptionFields } from '../domain/record.ts';
import type { Failure, State, Track } from '../domain/video.ts';
import type { PrismaClient } from './prisma.ts';
import { daySql } from './usage.ts';

export type Playable = {
  readonly videoId: string;
  readonly state: State;
  /** Milliseconds until the gate closes, by the database's clock; 0 or less: it is closed. */
  readonly gateClosesInMs: number | null;
  readonly ladderKey: string | null;
  readonly thumbnailKey: string | null;
  readonly version: number;
  readonly durationMs: number | null;
  readonly captions: readonly Track[];
};
export type Listed = {
  readonly videoId: string;
  readonly state: State;
  readonly version: number;
  readonly attempt: number;
  readonly versionSeq: number;
};
/** `settledVersionSeq`: no video will be listed with a number up to this one that is not listed already. */
export type ListedPage = { readonly videos: readonly Listed[]; readonly settledVersionSeq: number };

export type VideosQuery = {
  readonly publisherId: string;
  /** Left out: in any state. */
  readonly state?: State | undefined;
  readonly pageSize: number;
  readonly cursor: string;
};
type VideoRow = {
  readonly id: string;
  readonly state: State;
  readonly held: boolean;
  readonly intent: string;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly failure: Failure | null;
};

const MAX_BUDGETS = 1_000;

const clipColumns = `c.video_id AS "videoId", c.publisher_id AS "publisherId", c.title, c.summary, c.tags, c.sport,
  c.category, c.language_code AS "languageCode", c.duration_ms AS "durationMs", c.playback_id AS "playbackId",
  c.thumbnail_url AS "thumbnailUrl", c.published_at AS "publishedAt"`;

/** Longest wait for a row by its index, in milliseconds; playback waits 2 s for its reply. */
const PLAYABLE_MS = 2_000;

export type Listings = ReturnType<typeof openListings>;

export function openListings(pool: Pool, prisma: PrismaClient) {
  return {
    playable: (playbackId: string) => playable(pool, playbackId),
    clip: (videoId: string) => clip(prisma, videoId),
    described: (videoId: string) => described(pool, videoId),
    after: (versionSeq: number, limit: number) => listAfter(pool, versionSeq, limit),
    indexable: (videoId: string) => indexable(pool, videoId),
    work: (videoId: string) => work(prisma, videoId),
    history: (videoId: string) => history(prisma, videoId),
    publisherVideos: (query: VideosQuery) => publisherVideos(pool, query),
    dailyUse: (budgetIds: readonly string[]) => dailyUse(pool, budgetIds),
    audit: (query: Parameters<typeof audit>[1]) => audit(prisma, query),
  };
}

/** @throws AppError NOT_FOUND for a playback id that was never minted */
async function playable(pool: Pool, playbackId: string): Promise<Playable> {
  const query = {
    name: 'catalog-playable',
    text: `SELECT id AS "videoId", state, ladder_key AS "ladderKey",
      (extract(epoch FROM gate_closes_at - now()) * 1000)::bigint AS "gateClosesInMs", thumbnail_key AS "thumbnailKey", version, duration_ms AS "durationMs", captions FROM videos WHERE playback_id = $1`,
    values: [playbackId],
    query_timeout: PLAYABLE_MS,
  };
  const { rows } = await pool.query<Playable>(query);
  if (!rows[0]) throw notFound('the playback id');
  return rows[0];
}

/** @throws AppError NOT_FOUND when the video is not live */
async function clip(prisma: PrismaClient, videoId: string): Promise<ClipFields> {
  const found = await prisma.clip.findUnique({ where: { videoId } });
  if (!found) throw notFound('the clip');
  return found;
}

/** @throws AppError NOT_FOUND when there is no such video, or it is deleted */
async function described(pool: Pool, videoId: string): Promise<DescriptionFields> {
  const { rows } = await pool.query<DescriptionFields>({
    name: 'catalog-described',
    text: `SELECT id AS "videoId", publisher_id AS "publisherId", title, summary, tags, sport, category,
      language_code AS "languageCode", transcript_key AS "transcriptKey" FROM videos WHERE id = $1 AND state <> 'deleted'`,
    values: [videoId],
  });
  if (!rows[0]) throw notFound('the video');
  return rows[0];
}

/**
 * Videos by rising number of their latest version. A page ends below what an open transaction may still insert, so that a
 * reader who continues from the last number misses nothing.
 */
async function listAfter(pool: Pool, versionSeq: number, limit: number): Promise<ListedPage> {
  // First the bound, then the rows: what is below it has been committed, and is visible to the second statement.
  // What a reader was given as settled stays so, although a transaction may take the lock of a lower number late.
  const text = 'SELECT least(last_version_seq(), greatest($1::bigint, settled_version_seq())) AS settled';
  const bound = await pool.query<{ settled: number }>({ name: 'catalog-settled', text, values: [versionSeq] });
  const settled = bound.rows[0]?.settled ?? 0;
  const { rows } = await pool.query<Listed>({
    name: 'catalog-list',
    text: `SELECT id AS "videoId", state, version, attempt, version_seq AS "versionSeq" FROM videos
      WHERE version_seq > $1 AND version_seq <= $3 ORDER BY version_seq LIMIT $2`,
    values: [versionSeq, limit, settled],
  });
  return { videos: rows, settledVersionSeq: settled };
}

/**
 * Version, clip and tracks as of one moment.
 * @throws AppError NOT_FOUND when there never was such a video
 */
async function indexable(
  pool: Pool,
  videoId: string,
): Promise<{ readonly version: number; readonly clip: ClipFields | null; readonly captions: readonly Track[] }> {
  const { rows } = await pool.query<ClipFields & { version: number; live: boolean; captions: readonly Track[] }>({
    name: 'catalog-indexable',
    text: `SELECT v.version, v.captions, c.video_id IS NOT NULL AS live, ${clipColumns}
      FROM videos v LEFT JOIN clips c ON c.video_id = v.id WHERE v.id = $1`,
    values: [videoId],
  });
  if (!rows[0]) throw notFound('the video');
  const { version, live, captions, ...found } = rows[0];
  return { version, captions, clip: live ? found : null };
}

/** Every stage of every attempt, oldest first, and the unconfirmed purges. */
async function work(prisma: PrismaClient, videoId: string) {
  const [stages, purges] = await Promise.all([
    prisma.stage.findMany({ where: { videoId }, orderBy: [{ attempt: 'asc' }, { requestedAt: 'asc' }] }),
    prisma.purge.findMany({ where: { videoId, confirmedAt: null }, orderBy: [{ owner: 'asc' }, { scope: 'asc' }] }),
  ]);
  return { stages, purges };
}

/** The video's audit, oldest first; null when there never was such a video. */
function history(prisma: PrismaClient, videoId: string) {
  return prisma.video.findUnique({
    where: { id: videoId },
    select: { createdAt: true, audit: { orderBy: { id: 'asc' } } },
  });
}

/** The cursor is an id: ids ascend with the time of acceptance. */
async function publisherVideos(pool: Pool, { publisherId, state, pageSize, cursor }: VideosQuery) {
  if (publisherId === '') throw new AppError('INVALID_ARGUMENT', 'publisher_id must not be empty');
  if (!/^([0-9a-hjkmnp-tv-z]{26})?$/.test(cursor)) throw invalidCursor();
  const size = pageSizeOf(pageSize);
  const { rows } = await pool.query<VideoRow>({
    name: 'catalog-publisher-videos',
    text: `SELECT id, state, held, intent, title, created_at AS "createdAt", updated_at AS "updatedAt", failure
      FROM videos WHERE publisher_id = $1 AND ($2::text IS NULL OR state = $2) AND ($3 = '' OR id < $3)
      ORDER BY id DESC LIMIT $4`,
    values: [publisherId, state ?? null, cursor, size + 1],
  });
  const page = rows.slice(0, size);
  return { rows: page, nextCursor: rows.length > size ? (page.at(-1)?.id ?? '') : '' };
}

/** Videos accepted today by budget; budgets without any are left out. */
async function dailyUse(pool: Pool, budgetIds: readonly string[]) {
  if (budgetIds.length > MAX_BUDGETS)
    throw new AppError('INVALID_ARGUMENT', `at most ${MAX_BUDGETS} budgets in one request`);
  const { rows } = await pool.query<{ resets: number; used: Readonly<Record<string, number>> }>({
    name: 'catalog-daily-use',
    text: `WITH day AS (${daySql}) SELECT resets, (SELECT COALESCE(jsonb_object_agg(budget_id, used), '{}')
      FROM daily_counts WHERE budget_id = ANY ($1::text[]) AND day = today) AS used FROM day`,
    values: [budgetIds],
  });
  const { resets = 1, used = {} } = rows[0] ?? {};
  return { used, resetsInSeconds: resets };
}

/**
 * One page, newest first. Empty ids: of any publisher, of any video.
 * @throws AppError INVALID_ARGUMENT
 */
async function audit(
  prisma: PrismaClient,
  query: AuditQuery & { readonly publisherId: string; readonly videoId: string },
) {
  const { publisherId, videoId } = query;
  const ofPublisher = publisherId === '' ? [] : [{ publisherId }];
  const ofVideo = videoId === '' ? [] : [{ videoId }];
  return pageOf(await prisma.audit.findMany(auditPage(query, [...ofPublisher, ...ofVideo])), query);
}
