/** Counts the errors and deadlocks that concurrent operations cause in PostgreSQL. */
import type pg from 'pg';
import { AppError } from '@vds/chassis/errors';

/** Waits for all of them and counts the errors by SQLSTATE; version conflicts (ABORTED) do not count. */
export async function countErrors(all: readonly Promise<unknown>[], counts: Record<string, number>): Promise<void> {
  for (const one of await Promise.allSettled(all)) {
    if (one.status === 'fulfilled' || isVersionConflict(one.reason)) continue;
    const code = String((one.reason as { code?: unknown }).code ?? one.reason);
    counts[code] = (counts[code] ?? 0) + 1;
  }
}

function isVersionConflict(error: unknown): boolean {
  return error instanceof AppError && error.code === 'ABORTED';
}

/**
 * Deadlocks of the pool's database so far.
 * @param pool is closed first: until then a connection may withhold its statistics
 * @param fresh opens another pool on the same database
 */
export async function countDeadlocks(pool: pg.Pool, fresh: () => pg.Pool): Promise<number> {
  await pool.end();
  const one = fresh();
  const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
  const { rows } = await one.query<{ deadlocks: number }>(text);
  await one.end();
  return Number(rows[0]?.deadlocks);
}
