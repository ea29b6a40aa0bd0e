/** Reads beside the partner's record: what players, apps, the search index and the operator's staff ask for. */
import { notFound } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import type { ClipFacts, DescribedFacts } from '../domain/record.ts';
import type { State, Track } from '../domain/video.ts';
import type { PrismaClient } from './prisma.ts';
import { openStaffListings } from './staff-listings.ts';

export type Playable = {
  readonly videoId: string;
  readonly state: State;
  readonly gateClosesAt: Date | null;
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

const clipColumns = `c.video_id AS "videoId", c.publisher_id AS "publisherId", c.title, c.summary, c.tags, c.sport,
  c.category, c.language_code AS "languageCode", c.duration_ms AS "durationMs", c.playback_id AS "playbackId",
  c.thumbnail_url AS "thumbnailUrl", c.published_at AS "publishedAt"`;

/** Longest wait for a row by its index, in milliseconds; playback gives its question 2 s. */
const PLAYABLE_MS = 2_000;

/**
 * Every transaction below this number has ended. Only this database's own count: the cluster's horizon
 * (`pg_snapshot_xmin`) would let a long transaction of any neighbour hold up our readers. `age` counts from a moment
 * after the snapshot, so the number errs towards waiting.
 */
const horizonSql = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint - COALESCE(max(age(backend_xid)), 0) AS horizon
  FROM pg_stat_activity WHERE datname = current_database() AND backend_xid IS NOT NULL`;
export type Listings = ReturnType<typeof openListings>;

export function openListings(pool: Pool, prisma: PrismaClient) {
  return {
    ...openStaffListings(pool, prisma),
    playable: (playbackId: string) => playable(pool, playbackId),
    clip: (videoId: string) => clip(prisma, videoId),
    described: (videoId: string) => described(pool, videoId),
    after: (versionSeq: number, limit: number) => listAfter(pool, versionSeq, limit),
    indexable: (videoId: string) => indexable(pool, videoId),
    work: (videoId: string) => work(prisma, videoId),
    history: (videoId: string) => history(prisma, videoId),
  };
}

/** @throws AppError NOT_FOUND for a playback id that was never minted */
async function playable(pool: Pool, playbackId: string): Promise<Playable> {
  const query = {
    name: 'catalog-playable',
    text: `SELECT id AS "videoId", state, gate_closes_at AS "gateClosesAt", ladder_key AS "ladderKey",
      thumbnail_key AS "thumbnailKey", version, duration_ms AS "durationMs", captions FROM videos WHERE playback_id = $1`,
    values: [playbackId],
    query_timeout: PLAYABLE_MS,
  };
  const { rows } = await pool.query<Playable>(query);
  if (!rows[0]) throw notFound('the playback id');
  return rows[0];
}

/** @throws AppError NOT_FOUND when the video is not live */
async function clip(prisma: PrismaClient, videoId: string): Promise<ClipFacts> {
  const found = await prisma.clip.findUnique({ where: { videoId } });
  if (!found) throw notFound('the clip');
  return found;
}

/** @throws AppError NOT_FOUND when there is no such video, or no more */
async function described(pool: Pool, videoId: string): Promise<DescribedFacts> {
  const { rows } = await pool.query<DescribedFacts>({
    name: 'catalog-described',
    text: `SELECT id AS "videoId", publisher_id AS "publisherId", title, summary, tags, sport, category,
      language_code AS "languageCode", transcript_key AS "transcriptKey" FROM videos WHERE id = $1 AND state <> 'deleted'`,
    values: [videoId],
  });
  if (!rows[0]) throw notFound('the video');
  return rows[0];
}

/**
 * Videos by rising number of their latest version. What a transaction that is still open may yet put before them is
 * waited for, so that a reader who goes on from the last number misses nothing.
 */
async function listAfter(pool: Pool, versionSeq: number, limit: number): Promise<readonly Listed[]> {
  // First the horizon, then the rows: whatever ended below it is visible to the second statement.
  const ended = await pool.query<{ horizon: number }>({ name: 'catalog-horizon', text: horizonSql });
  const { rows } = await pool.query<Listed>({
    name: 'catalog-list',
    text: `SELECT id AS "videoId", state, version, attempt, version_seq AS "versionSeq" FROM videos
      WHERE version_seq > $1 AND changed_in < $3::text::xid8 ORDER BY version_seq LIMIT $2`,
    values: [versionSeq, limit, String(ended.rows[0]?.horizon ?? 0)],
  });
  return rows;
}

/**
 * Version, clip and tracks as of one moment.
 * @throws AppError NOT_FOUND when there never was such a video
 */
async function indexable(
  pool: Pool,
  videoId: string,
): Promise<{ readonly version: number; readonly clip: ClipFacts | null; readonly captions: readonly Track[] }> {
  const { rows } = await pool.query<ClipFacts & { version: number; live: boolean; captions: readonly Track[] }>({
    name: 'catalog-indexable',
    text: `SELECT v.version, v.captions, c.video_id IS NOT NULL AS live, ${clipColumns}
      FROM videos v LEFT JOIN clips c ON c.video_id = v.id WHERE v.id = $1`,
    values: [videoId],
  });
  if (!rows[0]) throw notFound('the video');
  const { version, live, captions, ...found } = rows[0];
  return { version, captions, clip: live ? found : null };
}

/** Every stage of every attempt, oldest first, and the removals that nobody has confirmed. */
async function work(prisma: PrismaClient, videoId: string) {
  const [stages, purges] = await Promise.all([
    prisma.stage.findMany({ where: { videoId }, orderBy: [{ attempt: 'asc' }, { requestedAt: 'asc' }] }),
    prisma.purge.findMany({ where: { videoId, confirmedAt: null }, orderBy: [{ owner: 'asc' }, { scope: 'asc' }] }),
  ]);
  return { stages, purges };
}

/** What happened to the video, oldest first; null when there never was one. */
function history(prisma: PrismaClient, videoId: string) {
  return prisma.video.findUnique({
    where: { id: videoId },
    select: { createdAt: true, audit: { orderBy: { id: 'asc' } } },
  });
}
