/** Publishers' usage, today and by month, and the operator's budgets. */
import { AppError } from '@vds/chassis/errors';
import type { By } from '@vds/chassis/database/audit';
import { withTransaction, type Pool } from '@vds/chassis/database/database';
import { changeBudgets, describeBudgets, type BudgetChanges, type Budgets, type Usage } from '../domain/usage.ts';
import { addAudit } from './audit-rows.ts';

/** A budget that is reset at 00:00 UTC: of requests, of minutes of video, of bytes fetched. */
export type DailyBudget = 'requests' | 'media_minutes' | 'fetched_bytes';

/** The daily values are today's. */
export type PublisherUsage = { readonly budgets: Budgets; readonly used: Usage; readonly resetsInSeconds: number };

type Row = Budgets & { mediaMs: number; usedFetchedBytes: number; usedStoredBytes: number };

/** Today by the database's clock, and the seconds until it ends. */
export const daySql = `SELECT (now() AT TIME ZONE 'UTC')::date AS today,
  GREATEST(1, CEIL(EXTRACT(EPOCH FROM
    date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day' - (now() AT TIME ZONE 'UTC'))))::int AS resets`;

/**
 * A part of a statement that has `daySql` as `day`: a row with the `budget` that the publisher has spent today, or none.
 * @param publisherId a parameter of the statement
 */
export function spentSql(publisherId: string): string {
  return `SELECT CASE WHEN media_ms >= media_minutes_budget * 60000 THEN 'media_minutes' ELSE 'fetched_bytes' END AS budget
    FROM publisher_usage u, day WHERE u.publisher_id = ${publisherId} AND u.day = day.today
      AND (media_ms >= media_minutes_budget * 60000 OR fetched_bytes >= fetched_bytes_budget)`;
}

/**
 * Adds what a decision uses, as a fragment of its statement.
 * @param bind adds a value to the statement and returns its placeholder
 */
export function usageFragment(publisherId: string, usage: Usage, bind: (value: unknown) => string): string {
  const [media, fetched, stored] = [usage.mediaMs, usage.fetchedBytes, usage.storedBytes].map(bind);
  return `INSERT INTO publisher_usage AS u (publisher_id, day, media_ms, fetched_bytes, stored_bytes)
    VALUES (${bind(publisherId)}, (now() AT TIME ZONE 'UTC')::date, ${media}::bigint, ${fetched}::bigint,
      GREATEST(0, ${stored}::bigint))
    ON CONFLICT (publisher_id) DO UPDATE SET day = excluded.day,
      media_ms = excluded.media_ms + CASE WHEN u.day = excluded.day THEN u.media_ms ELSE 0 END,
      fetched_bytes = excluded.fetched_bytes + CASE WHEN u.day = excluded.day THEN u.fetched_bytes ELSE 0 END,
      stored_bytes = GREATEST(0, u.stored_bytes + ${stored}::bigint)
    RETURNING u.publisher_id, u.day, u.stored_bytes`;
}

/** Adds the same to its month: a fragment of the statement that has `usageFragment` as `usage`, whose lock orders both. */
export function monthFragment({ mediaMs, fetchedBytes }: Usage, bind: (value: unknown) => string): string {
  return `INSERT INTO publisher_months AS m (publisher_id, month, media_ms, fetched_bytes, stored_bytes)
    SELECT publisher_id, date_trunc('month', day)::date, ${bind(mediaMs)}::bigint, ${bind(fetchedBytes)}::bigint, stored_bytes
      FROM usage
    ON CONFLICT (publisher_id, month) DO UPDATE SET media_ms = m.media_ms + excluded.media_ms,
      fetched_bytes = m.fetched_bytes + excluded.fetched_bytes, stored_bytes = excluded.stored_bytes`;
}

export type MonthlyUsage = Usage & { readonly publisherId: string };
const MAX_PUBLISHERS = 1_000;

/**
 * What publishers used in a month, by their ids; those without any are left out.
 * @param month `2026-11`, in UTC
 * @param after only publishers behind this one
 * @returns at most 1,000
 * @throws AppError INVALID_ARGUMENT
 */
export async function listUsage(pool: Pool, month: string, after: string): Promise<MonthlyUsage[]> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new AppError('INVALID_ARGUMENT', `a month is written as 2026-11, not '${month}'`);
  // A month in which nothing changed has the storage of the last one before it.
  const { rows } = await pool.query<MonthlyUsage>({
    name: 'catalog-monthly-usage',
    text: `SELECT publisher_id AS "publisherId", CASE WHEN month = $1::date THEN media_ms ELSE 0 END AS "mediaMs",
        CASE WHEN month = $1::date THEN fetched_bytes ELSE 0 END AS "fetchedBytes", stored_bytes AS "storedBytes"
      FROM (SELECT DISTINCT ON (publisher_id) * FROM publisher_months WHERE month <= $1::date AND publisher_id > $2
        ORDER BY publisher_id, month DESC) AS latest
      WHERE month = $1::date OR stored_bytes > 0 ORDER BY publisher_id LIMIT ${MAX_PUBLISHERS}`,
    values: [`${month}-01`, after],
  });
  return rows;
}

/** A publisher's budgets and usage; one without a row has none. */
export async function readUsage(pool: Pool, publisherId: string): Promise<PublisherUsage> {
  const { rows } = await pool.query<Row & { resets: number }>({
    name: 'catalog-usage',
    text: `WITH day AS (${daySql}) SELECT resets, media_minutes_budget AS "mediaMinutes",
        fetched_bytes_budget AS "fetchedBytes", stored_bytes_budget AS "storedBytes",
        CASE WHEN u.day = today THEN media_ms ELSE 0 END AS "mediaMs",
        CASE WHEN u.day = today THEN fetched_bytes ELSE 0 END AS "usedFetchedBytes",
        COALESCE(stored_bytes, 0) AS "usedStoredBytes"
      FROM day LEFT JOIN publisher_usage u ON u.publisher_id = $1`,
    values: [publisherId],
  });
  const [row] = rows as [Row & { resets: number }];
  const { mediaMinutes, fetchedBytes, storedBytes } = row;
  return {
    budgets: { mediaMinutes, fetchedBytes, storedBytes },
    used: { mediaMs: row.mediaMs, fetchedBytes: row.usedFetchedBytes, storedBytes: row.usedStoredBytes },
    resetsInSeconds: row.resets,
  };
}

/** Changes a publisher's budgets from now on, with its row in the audit. @throws AppError INVALID_ARGUMENT */
export function setBudgets(pool: Pool, publisherId: string, changes: BudgetChanges, by: By): Promise<void> {
  return withTransaction(pool, async (client) => {
    await client.query('INSERT INTO publisher_usage (publisher_id) VALUES ($1) ON CONFLICT DO NOTHING', [publisherId]);
    // Locked, so that the audit records the budgets that the change replaces.
    const { rows } = await client.query<Budgets>(
      `SELECT media_minutes_budget AS "mediaMinutes", fetched_bytes_budget AS "fetchedBytes",
        stored_bytes_budget AS "storedBytes" FROM publisher_usage WHERE publisher_id = $1 FOR UPDATE`,
      [publisherId],
    );
    const [before] = rows as [Budgets];
    const after = changeBudgets(before, changes);
    await client.query(
      `UPDATE publisher_usage SET media_minutes_budget = $2, fetched_bytes_budget = $3, stored_bytes_budget = $4
        WHERE publisher_id = $1`,
      [publisherId, after.mediaMinutes, after.fetchedBytes, after.storedBytes],
    );
    const states = { was: describeBudgets(before), became: describeBudgets(after) };
    await addAudit(client, { publisherId, action: 'publisher budget', ...by, ...states });
  });
}
