/** A connection that holds the migration lock of one database until it is closed. */
import { pause } from '@vds/chassis/async';
import { messageOf } from '@vds/chassis/errors';
import pg from 'pg';

export type WaitOptions = {
  /** How long PostgreSQL may be unreachable; 0 tries once. */
  readonly connectTimeoutMs: number;
  /** How long another migration of the same database may take, and how long a migration tries to lock its tables. */
  readonly lockTimeoutMs: number;
  /** Aborts the waiting, not a running migration. */
  readonly signal: AbortSignal;
  /** Called with the reason for waiting, whenever it changes. */
  readonly log: (line: string) => void;
};

// The same key in every version: Jobs of two versions must exclude each other.
const LOCK = `hashtext('chassis migrations')`;
const HOLDER = `
  select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${LOCK}::bigint`;

/**
 * Connects, acquires the lock and runs `work`; closing the connection releases the lock.
 * @throws Error with one sentence if the connection or the lock times out
 */
export async function withMigrationLock<T>(
  connection: pg.ClientConfig,
  options: WaitOptions,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { host, port, database } = connection;
  const where = `${database} on ${host}:${port}`;
  const client = await retryUntil(
    () => connect(connection),
    options.connectTimeoutMs,
    options,
    (reason) => `cannot connect to ${where} (${reason})`,
  );
  try {
    let holder = '';
    const acquire = async (): Promise<true | undefined> => {
      const held = await tryLock(client);
      if (held) return held;
      const { rows } = await client.query<{ pid: number }>(HOLDER);
      holder = rows[0] ? `process ${rows[0].pid} of PostgreSQL` : 'a process that has just exited';
      return undefined;
    };
    await retryUntil(
      acquire,
      options.lockTimeoutMs,
      options,
      (reason) => reason || `another migration of ${where} is running (${holder})`,
    );
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Repeats `attempt` until it returns a value; it returns undefined or throws until then. */
export async function retryUntil<T>(
  attempt: () => Promise<T | undefined>,
  timeoutMs: number,
  { signal, log }: WaitOptions,
  explain: (reason: string) => string,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let logged = '';
  for (;;) {
    let reason = '';
    try {
      const result = await attempt();
      if (result !== undefined) return result;
    } catch (error) {
      reason = messageOf(error);
    }
    const line = explain(reason);
    if (performance.now() >= deadline) throw new Error(`${line}, for ${Math.round(timeoutMs / 1_000)} s`);
    if (line !== logged) log(`waiting: ${line}`);
    logged = line;
    await pause(Math.min(500, timeoutMs), signal);
    if (signal.aborted) throw new Error('stopped while waiting; nothing was changed');
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: 10_000, ...connection });
  client.on('error', () => undefined); // the running statement reports it
  try {
    await client.connect();
    // If the Job's node is lost, its lock must not survive for TCP's default of two hours.
    await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3');
    return client;
  } catch (error) {
    client.end().catch(() => undefined); // it was never open
    throw error;
  }
}

async function tryLock(client: pg.Client): Promise<true | undefined> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`);
  return rows[0]?.held === true ? true : undefined;
}
