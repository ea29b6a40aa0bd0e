/** What every audit has in common: who asks and why, and pages of its rows, newest first. */
import { AppError } from '../errors.ts';

export type By = {
  readonly actor: string;
  readonly reason: string;
};

const MOST_OF_ACTOR = 200;
const MOST_OF_REASON = 2_000;

export type AuditQuery = {
  /** Empty: anybody. */
  readonly actor: string;
  /** RFC 3339; empty: from the beginning. */
  readonly since: string;
  /** 0: the largest. */
  readonly pageSize: number;
  /** `nextCursor` of the page before; empty: the first page. */
  readonly cursor: string;
};
type Kept = { readonly at: Date; readonly id: bigint };

const LARGEST_PAGE = 200;

/**
 * Who asks and why, trimmed.
 * @param caller name of the calling service, for who does not say who he is
 * @throws AppError INVALID_ARGUMENT
 */
export function checkBy({ actor, reason }: By, caller: string): By {
  return {
    actor: check('the actor', actor.trim(), MOST_OF_ACTOR) || caller,
    reason: check('the reason', reason.trim(), MOST_OF_REASON),
  };
}

function check(field: string, text: string, most: number): string {
  if (text.length > most || /\p{Cc}/u.test(text))
    throw new AppError('INVALID_ARGUMENT', `${field} must be at most ${most} characters without control characters`);
  return text;
}

/**
 * For Prisma's `findMany`, with one row more than the page has.
 * @throws AppError INVALID_ARGUMENT
 */
export function auditPage<W extends object>({ actor, since, pageSize, cursor }: AuditQuery, more: readonly W[]) {
  return {
    where: {
      AND: [
        ...more,
        ...(actor === '' ? [] : [{ actor }]),
        ...(since === '' ? [] : [{ at: { gte: momentOf(since) } }]),
        ...(cursor === '' ? [] : [olderThan(cursor)]),
      ],
    },
    orderBy: [{ at: 'desc' as const }, { id: 'desc' as const }],
    take: pageSizeOf(pageSize) + 1,
  };
}

function momentOf(since: string): Date {
  const at = new Date(since);
  if (Number.isNaN(at.getTime())) throw new AppError('INVALID_ARGUMENT', 'since must be a time as in RFC 3339');
  return at;
}

/** Rows older than the last one of the page before. */
function olderThan(cursor: string) {
  const [, ms, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? [];
  if (ms === undefined || id === undefined) throw new AppError('INVALID_ARGUMENT', 'the cursor is not one of ours');
  const at = new Date(Number(ms));
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { id: { lt: BigInt(id) } }] };
}

/** Rows of a page that is asked for with `given`: at most 200. */
export function pageSizeOf(given: number): number {
  return given >= 1 ? Math.min(given, LARGEST_PAGE) : LARGEST_PAGE;
}

/** The page, and where the next one begins; empty where there is none. */
export function pageOf<R extends Kept>(rows: readonly R[], { pageSize }: AuditQuery) {
  const page = rows.slice(0, pageSizeOf(pageSize));
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last ? `${last.at.getTime()}.${last.id}` : '' };
}
