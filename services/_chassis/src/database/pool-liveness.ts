/**
 * Only a restart repairs a pool that a driver defect has emptied: `/livez` fails when nobody has got a connection for a
 * minute although the server accepts a new one. An unavailable server affects readiness only.
 */
import pg from 'pg';

const STUCK_MS = 60_000;
/** How long the server may take for a new connection, and for a statement on it: the probe waits. */
const ANSWER_MS = 800;

/**
 * A liveness check.
 * @param connection how to connect outside of the pool
 * @param now milliseconds of a monotonic clock
 */
export function reasonToRestart(pool: pg.Pool, connection: pg.ClientConfig, now = () => performance.now()) {
  let handedOutAt = now();
  pool.on('acquire', () => void (handedOutAt = now()));
  return async (): Promise<string | undefined> => {
    if (pool.waitingCount === 0 || now() - handedOutAt < STUCK_MS) return undefined;
    if (!(await answers(connection))) return undefined;
    return 'the database pool has handed out no connection for a minute although the database answers';
  };
}

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS });
  client.on('error', () => undefined); // a break fails the statement
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    client.end().catch(() => undefined); // not awaited, as the server may be silent
  }
}
