/** Breaks all connections of a pool again and again under writers, as restarts of the database do. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { until } from '../until.ts';

type LostConnections = {
  /** The database, whose connections are broken by its administrator. */
  readonly poolConfig: pg.PoolConfig;
  /** `application_name` of the connections to break. */
  readonly application: string;
  /** One transaction. */
  readonly write: () => Promise<unknown>;
  readonly restarts: number;
  readonly writers: number;
};

/** Returns how many transactions committed and failed. */
export async function loseConnections({ poolConfig, application, write, restarts, writers }: LostConnections) {
  const admin = new pg.Client(poolConfig);
  await admin.connect();
  const stopping = new AbortController();
  const counts = { committed: 0, failed: 0 };
  const repeat = async (): Promise<void> => {
    while (!stopping.signal.aborted)
      await write().then(
        () => (counts.committed += 1),
        () => (counts.failed += 1),
      );
  };
  const running = Array.from({ length: writers }, repeat);
  try {
    for (let restart = 0; restart < restarts; restart += 1) {
      const before = counts.committed;
      await until(() => counts.committed >= before + writers, { what: `commits after ${restart} losses` });
      await sleep(restart);
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1`,
        [application],
      );
    }
  } finally {
    stopping.abort();
    await Promise.all(running);
    await admin.end();
  }
  return counts;
}
