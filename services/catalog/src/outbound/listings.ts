/** Reads besides the partner's record: for playback, the apps, ingest, the search index and metadata. */
import { notFound } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import type { ClipFields, DescriptionFields } from '../domain/record.ts';
import type { Intent, State, Track } from '../domain/video.ts';
import type { PrismaClient } from './prisma.ts';

/** The other one is ''. */
export type PlayableQuery = { readonly playbackId: string; readonly videoId: string };
export type Playable = {
  readonly videoId: string;
  readonly state: State;
  readonly intent: Intent;
  /** Milliseconds until the gate closes, by the database's clock; 0 or less: it is closed. */
  readonly gateClosesInMs: number | null;
  readonly ladderKey: string | null;
  readonly thumbnailKey: string | null;
  readonly held: boolean;
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

const clipColumns = `c.video_id AS "videoId", c.publisher_id AS "publisherId", c.title, c.summary, c.tags, c.sport,
  c.category, c.language_code AS "languageCode", c.duration_ms AS "durationMs", c.playback_id AS "playbackId",
  c.thumbnail_url AS "thumbnailUrl", c.published_at AS "publishedAt"`;

/** Longest wait for a row by its index, in milliseconds; playback waits 2 s for its reply. */
const PLAYABLE_MS = 2_000;

export type Listings = ReturnType<typeof openListings>;

export function openListings(pool: Pool, prisma: PrismaClient) {
  return {
    playable: (request: PlayableQuery) => playable(pool, request),
    clip: (videoId: string) => clip(prisma, videoId),
    described: (videoId: string) => described(pool, videoId),
    sourceAddress: (videoId: string, attempt: number) => sourceAddress(pool, videoId, attempt),
    attribution: (videoId: string) => attribution(pool, videoId),
    after: (versionSeq: number, limit: number) => listAfter(pool, versionSeq, limit),
    indexable: (videoId: string) => indexable(pool, videoId),
  };
}

/** @throws AppError NOT_FOUND for an id that was never given */
async function playable(pool: Pool, { playbackId, videoId }: PlayableQuery): Promise<Playable> {
  const query = {
    name: videoId === '' ? 'catalog-playable' : 'catalog-playable-video',
    text: `SELECT id AS "videoId", state, intent, held, ladder_key AS "ladderKey",
      (extract(epoch FROM gate_closes_at - now()) * 1000)::bigint AS "gateClosesInMs", thumbnail_key AS "thumbnailKey", version, duration_ms AS "durationMs", captions FROM videos WHERE ${videoId === '' ? 'playback_id' : 'id'} = $1`,
    values: [videoId === '' ? playbackId : videoId],
    query_timeout: PLAYABLE_MS,
  };
  const { rows } = await pool.query<Playable>(query);
  if (!rows[0]) throw notFound('the video');
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
      language_code AS "languageCode", transcript_key AS "transcriptKey", captions FROM videos WHERE id = $1 AND state <> 'deleted'`,
    values: [videoId],
  });
  if (!rows[0]) throw notFound('the video');
  return rows[0];
}

/** @throws AppError NOT_FOUND when this attempt of the video is not processing */
async function sourceAddress(pool: Pool, videoId: string, attempt: number): Promise<{ readonly sourceUrl: string }> {
  const { rows } = await pool.query<{ sourceUrl: string }>({
    name: 'catalog-source-address',
    text: `SELECT source_url AS "sourceUrl" FROM videos WHERE id = $1 AND attempt = $2 AND state = 'processing'`,
    values: [videoId, attempt],
  });
  if (!rows[0]) throw notFound('a fetch of the video');
  return rows[0];
}

/** Whose video it is: a deleted one keeps its publisher. @throws AppError NOT_FOUND for one that never was */
async function attribution(pool: Pool, videoId: string) {
  const { rows } = await pool.query<{ publisherId: string; title: string; durationMs: number | null; version: number }>(
    {
      name: 'catalog-attribution',
      text: `SELECT publisher_id AS "publisherId", CASE state WHEN 'deleted' THEN '' ELSE title END AS title,
      duration_ms AS "durationMs", version FROM videos WHERE id = $1`,
      values: [videoId],
    },
  );
  if (!rows[0]) throw notFound('the video');
  return rows[0];
}

/**
 * Videos by rising number of their latest version. A page ends below what an open transaction may still insert, so that
 * a reader continuing from the last number misses nothing.
 */
async function listAfter(pool: Pool, versionSeq: number, limit: number): Promise<ListedPage> {
  // First the bound, then the rows: everything below it is committed, and visible to the second statement. A version
  // reported as settled stays so, although a transaction may take the lock of a lower number late.
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
