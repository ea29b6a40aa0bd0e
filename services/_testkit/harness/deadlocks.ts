/** Counts the errors and deadlocks that concurrent operations cause in PostgreSQL. */
import type pg from 'pg';
import { openPool } from '@vds/chassis/database/database';
import { AppError } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import { testDatabase } from './database.ts';

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

/** A database of the service that detects deadlocks after 20 ms instead of a second, with a pool of many connections. */
export async function openDeadlockDatabase(serviceDir: URL) {
  const database = await testDatabase(serviceDir);
  const { url: databaseUrl, password: databasePassword, poolConfig } = database;
  const poolOf = (databasePoolSize: number) =>
    openPool({ databaseUrl, databasePassword, databasePoolSize }, 'test', createLogger('test', 'error'));
  const query = async <R extends pg.QueryResultRow>(text: string): Promise<R | undefined> => {
    const one = poolOf(1);
    try {
      return (await one.query<R>(text)).rows[0];
    } finally {
      await one.end();
    }
  };
  await query(`ALTER DATABASE ${poolConfig.database} SET deadlock_timeout = '20ms'`);
  const pool = poolOf(24);
  return {
    pool,
    /** Deadlocks so far; closes the pool first, as until then a connection may withhold its statistics. */
    deadlocks: async (): Promise<number> => {
      await pool.end();
      const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
      return Number((await query<{ deadlocks: number }>(text))?.deadlocks);
    },
    drop: async (): Promise<void> => {
      if (!pool.ended) await pool.end();
      await database.drop();
    },
  };
}
