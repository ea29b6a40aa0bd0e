/** The operator's view of videos, publishers and the audit. */
import { auditPage, invalidCursor, pageOf, pageSizeOf, parseTime, type AuditQuery } from '@vds/chassis/database/audit';
import { AppError } from '@vds/chassis/errors';
import type { Pool } from '@vds/chassis/database/database';
import { isVideoId } from '@vds/proto/ids';
import type { Failure, State } from '../domain/video.ts';
import type { PrismaClient } from './prisma.ts';
import { daySql } from './usage.ts';

export type VideosQuery = {
  /** Empty: of any. */
  readonly publisherId: string;
  readonly sport: string;
  /** RFC 3339; empty: ever. */
  readonly since: string;
  /** Left out: in any state. */
  readonly state?: State | undefined;
  readonly pageSize: number;
  readonly cursor: string;
};
type VideoRow = {
  readonly id: string;
  readonly publisherId: string;
  readonly sport: string | null;
  readonly state: State;
  readonly held: boolean;
  readonly intent: string;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly failure: Failure | null;
};

const MAX_BUDGETS = 1_000;

export type OperatorReads = ReturnType<typeof openOperatorReads>;

export function openOperatorReads(pool: Pool, prisma: PrismaClient) {
  return {
    work: (videoId: string) => work(pool, prisma, videoId),
    history: (videoId: string) => history(prisma, videoId),
    publisherVideos: (query: VideosQuery) => publisherVideos(pool, query),
    dailyUse: (budgetIds: readonly string[]) => dailyUse(pool, budgetIds),
    audit: (query: Parameters<typeof audit>[1]) => audit(prisma, query),
  };
}

/** Every stage of every attempt, oldest first, and the unconfirmed purges that are due. */
async function work(pool: Pool, prisma: PrismaClient, videoId: string) {
  const [stages, { rows: purges }] = await Promise.all([
    prisma.stage.findMany({ where: { videoId }, orderBy: [{ attempt: 'asc' }, { requestedAt: 'asc' }] }),
    pool.query<{ owner: string; scope: string }>(
      `SELECT owner, scope FROM purges WHERE video_id = $1 AND confirmed_at IS NULL AND due_at <= now() ORDER BY owner, scope`,
      [videoId],
    ),
  ]);
  return { stages, purges };
}

/** The video's audit, oldest first; null when there never was such a video. */
function history(prisma: PrismaClient, videoId: string) {
  return prisma.video.findUnique({
    where: { id: videoId },
    select: { createdAt: true, keyId: true, audit: { orderBy: { id: 'asc' } } },
  });
}

/** The cursor is an id: ids ascend with the time of acceptance. */
async function publisherVideos(pool: Pool, { publisherId, state, sport, since, pageSize, cursor }: VideosQuery) {
  if (cursor !== '' && !isVideoId(cursor)) throw invalidCursor();
  const size = pageSizeOf(pageSize);
  const { rows } = await pool.query<VideoRow>({
    name: 'catalog-publisher-videos',
    text: `SELECT id, publisher_id AS "publisherId", sport, state, held, intent, title, created_at AS "createdAt", updated_at AS "updatedAt", failure
      FROM videos WHERE ($1 = '' OR publisher_id = $1) AND ($2::text IS NULL OR state = $2) AND ($3 = '' OR id < $3)
        AND ($5 = '' OR sport = $5) AND ($6::timestamptz IS NULL OR created_at >= $6)
      ORDER BY id DESC LIMIT $4`,
    values: [publisherId, state ?? null, cursor, size + 1, sport, since === '' ? null : parseTime(since)],
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
