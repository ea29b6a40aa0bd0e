/** Lists for the operator's staff: a publisher's videos, the use of day budgets, the audit. */
import { auditPage, pageOf, pageSizeOf, type AuditQuery } from '@vds/chassis/database/audit';
import type { Pool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import type { Failure, State } from '../domain/video.ts';
import { day } from './create-video.ts';
import type { PrismaClient } from './prisma.ts';

export type VideosQuery = {
  readonly publisherId: string;
  /** Left out: in any. */
  readonly state?: State | undefined;
  readonly pageSize: number;
  readonly cursor: string;
};
type Row = {
  readonly id: string;
  readonly state: State;
  readonly held: boolean;
  readonly intent: string;
  readonly title: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly failure: Failure | null;
};

const MOST_BUDGETS = 1_000;

export function openStaffListings(pool: Pool, prisma: PrismaClient) {
  return {
    videosOf: (asked: VideosQuery) => videosOf(pool, asked),
    dailyUse: (budgetIds: readonly string[]) => dailyUse(pool, budgetIds),
    audit: (asked: Parameters<typeof audit>[1]) => audit(prisma, asked),
  };
}

/** The cursor is an id: ids rise with the time of acceptance. */
async function videosOf(pool: Pool, { publisherId, state, pageSize, cursor }: VideosQuery) {
  if (publisherId === '') throw new AppError('INVALID_ARGUMENT', 'name the publisher');
  const size = pageSizeOf(pageSize);
  const { rows } = await pool.query<Row>({
    name: 'catalog-videos-of',
    text: `SELECT id, state, held, intent, title, created_at AS "createdAt", updated_at AS "updatedAt", failure
      FROM videos WHERE publisher_id = $1 AND ($2::text IS NULL OR state = $2) AND ($3 = '' OR id < $3)
      ORDER BY id DESC LIMIT $4`,
    values: [publisherId, state ?? null, cursor, size + 1],
  });
  const page = rows.slice(0, size);
  return { rows: page, nextCursor: rows.length > size ? (page.at(-1)?.id ?? '') : '' };
}

/** How many videos each budget has accepted today; one that has accepted none is left out. */
async function dailyUse(pool: Pool, budgetIds: readonly string[]) {
  if (budgetIds.length > MOST_BUDGETS)
    throw new AppError('INVALID_ARGUMENT', `ask for at most ${MOST_BUDGETS} budgets at once`);
  const { rows } = await pool.query<{ resets: number; used: Readonly<Record<string, number>> }>({
    name: 'catalog-daily-use',
    text: `WITH day AS (${day}) SELECT resets, (SELECT COALESCE(jsonb_object_agg(budget_id, used), '{}')
      FROM daily_counts WHERE budget_id = ANY ($1::text[]) AND day = today) AS used FROM day`,
    values: [budgetIds],
  });
  const { resets = 1, used = {} } = rows[0] ?? {};
  return { used, resetsInSeconds: resets };
}

/** One page, newest first. Empty ids: of any publisher, of any video. INVALID_ARGUMENT. */
async function audit(
  prisma: PrismaClient,
  asked: AuditQuery & { readonly publisherId: string; readonly videoId: string },
) {
  const { publisherId, videoId } = asked;
  const ofPublisher = publisherId === '' ? [] : [{ publisherId }];
  const ofVideo = videoId === '' ? [] : [{ videoId }];
  return pageOf(await prisma.audit.findMany(auditPage(asked, [...ofPublisher, ...ofVideo])), asked);
}
