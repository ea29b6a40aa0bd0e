/** Shared by every audit log: who acted and why, and pages of its rows, newest first. */
import { AppError } from '../errors.ts';
import type { Call } from '../rpc/rpc.ts';

/** Who acted, and why. */
export type By = {
  readonly actor: string;
  readonly reason: string;
};

export type AuditQuery = {
  /** Empty: every actor. */
  readonly actor: string;
  /** RFC 3339; empty: no lower bound. */
  readonly since: string;
  /** 0: the maximum. */
  readonly pageSize: number;
  /** `nextCursor` of the previous page; empty: the first page. */
  readonly cursor: string;
};
type AuditRow = { readonly at: Date; readonly id: bigint };

const MAX_ACTOR = 200;
const MAX_REASON = 2_000;
const MAX_PAGE_SIZE = 200;

/**
 * Trims and validates.
 * @param call its person of the staff is the actor, whatever the request says; without one and without a given actor it
 *   is the calling service
 * @throws AppError INVALID_ARGUMENT
 */
export function checkBy({ actor, reason }: By, { caller, staff }: Pick<Call, 'caller' | 'staff'>): By {
  return {
    actor: staff ?? (check('the actor', actor.trim(), MAX_ACTOR) || caller),
    reason: check('the reason', reason.trim(), MAX_REASON),
  };
}

function check(field: string, text: string, maxLength: number): string {
  if (text.length > maxLength || /\p{Cc}/u.test(text))
    throw new AppError(
      'INVALID_ARGUMENT',
      `${field} must be at most ${maxLength} characters without control characters`,
    );
  return text;
}

/**
 * Arguments of Prisma's `findMany`; one extra row shows whether there is a next page.
 * @throws AppError INVALID_ARGUMENT
 */
export function auditPage<W extends object>({ actor, since, pageSize, cursor }: AuditQuery, more: readonly W[]) {
  return {
    where: {
      AND: [
        ...more,
        ...(actor === '' ? [] : [{ actor }]),
        ...(since === '' ? [] : [{ at: { gte: parseTime(since) } }]),
        ...(cursor === '' ? [] : [olderThan(cursor)]),
      ],
    },
    orderBy: [{ at: 'desc' as const }, { id: 'desc' as const }],
    take: pageSizeOf(pageSize) + 1,
  };
}

/** The time of a filter. @throws AppError INVALID_ARGUMENT */
export function parseTime(since: string): Date {
  const at = new Date(since);
  if (Number.isNaN(at.getTime())) throw new AppError('INVALID_ARGUMENT', 'since must be an RFC 3339 time');
  return at;
}

/** Rows older than the last one of the previous page. */
function olderThan(cursor: string) {
  const [, ms, id] = /^(\d{1,15})\.(\d{1,18})$/.exec(cursor) ?? [];
  if (ms === undefined || id === undefined) throw invalidCursor();
  const at = new Date(Number(ms));
  return { at: { lte: at }, OR: [{ at: { lt: at } }, { id: { lt: BigInt(id) } }] };
}

/**
 * The number in a cursor of lists ordered by a number; 0 for the first page.
 * @throws AppError INVALID_ARGUMENT
 */
export function numberOfCursor(cursor: string): number {
  if (!/^\d{0,15}$/.test(cursor)) throw invalidCursor();
  return Number(cursor);
}

/** For a cursor that no page of the list has returned. */
export function invalidCursor(): AppError {
  return new AppError('INVALID_ARGUMENT', 'the cursor is invalid');
}

/** The page size to use for a requested one: at most 200. */
export function pageSizeOf(requested: number): number {
  return requested >= 1 ? Math.min(requested, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
}

/** The page and the cursor of the next one; empty if there is none. */
export function pageOf<R extends AuditRow>(rows: readonly R[], { pageSize }: AuditQuery) {
  const page = rows.slice(0, pageSizeOf(pageSize));
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > page.length && last ? `${last.at.getTime()}.${last.id}` : '' };
}
