/** Repeatedly breaks all connections of a service's pool under writers, as restarts of the database do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { openPool } from '@vds/chassis/database/database';
import { classify, messageOf } from '@vds/chassis/errors';
import { createLogger } from '@vds/chassis/telemetry/log';
import pg from 'pg';
import { until } from '../until.ts';
import type { TestDatabase } from './database.ts';

export const RESTARTS = 20;
export const WRITERS = 16;
const POOL_SIZE = 10;

/**
 * @param service its name, which its connections have
 * @param writerOf given the pool, returns the function that runs one transaction
 * @returns how many transactions failed, the messages of failures that do not look like a lost connection, and the
 * connections in use and the callers that wait for one afterwards
 */
export async function loseConnections(
  { url: databaseUrl, password: databasePassword, poolConfig }: TestDatabase,
  service: string,
  writerOf: (pool: pg.Pool) => () => Promise<unknown>,
) {
  const config = { databaseUrl, databasePassword, databasePoolSize: POOL_SIZE };
  const pool = openPool(config, service, createLogger('test', 'fatal'));
  const admin = new pg.Client(poolConfig);
  await admin.connect();
  const stopping = new AbortController();
  const counts = { committed: 0, failed: 0 };
  const defects: string[] = [];
  const fail = (error: unknown): void => {
    counts.failed += 1;
    if (classify(error).class !== 'dependency') defects.push(messageOf(error));
  };
  const write = writerOf(pool);
  const repeat = async (): Promise<void> => {
    while (!stopping.signal.aborted) await write().then(() => (counts.committed += 1), fail);
  };
  const running = Array.from({ length: WRITERS }, repeat);
  try {
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const before = counts.committed;
      await until(() => counts.committed >= before + WRITERS, { what: `commits after ${restart} losses` });
      await sleep(restart);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1`,
        [service],
      );
    }
    stopping.abort();
    await Promise.all(running);
    return { failed: counts.failed, defects, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
  } finally {
    stopping.abort();
    await Promise.all(running);
    await admin.end();
    await pool.close();
  }
}
