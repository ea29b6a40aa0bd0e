/** A connection that alone may migrate one database: waited for, and held until it is closed. */
import { pause } from '@vds/chassis/process/async';
import { messageOf } from '@vds/chassis/errors';
import pg from 'pg';

export type Patience = {
  /** How long PostgreSQL may be away; 0 tries once. */
  readonly reachWithinMs: number;
  /** How long another migration of the same database may take. */
  readonly lockWithinMs: number;
  /** Ends the waits, not a migration that has begun. */
  readonly signal: AbortSignal;
  /** Called with what is waited for, whenever that changes. */
  readonly say: (line: string) => void;
};

// The same in every version: the last version's Job must wait for this one's, and the other way round.
const LOCK = `hashtext('chassis migrations')`;
const HOLDER = `
  select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and ((classid::bigint << 32) | objid::bigint) = ${LOCK}::bigint`;

/**
 * Connects, takes the lock and runs `work`; the lock goes with the connection, however that ends.
 * @throws Error with one sentence when PostgreSQL or the lock cannot be had in time
 */
export async function withMigrationLock<T>(
  connection: pg.ClientConfig,
  patience: Patience,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { host, port, database } = connection;
  const where = `${database} on ${host}:${port}`;
  const client = await persist(
    () => connect(connection),
    patience.reachWithinMs,
    patience,
    (reason) => `cannot connect to ${where} (${reason})`,
  );
  try {
    let holder = '';
    const lock = async (): Promise<true | undefined> => {
      const held = await tryLock(client);
      if (held) return held;
      const { rows } = await client.query<{ pid: number }>(HOLDER);
      holder = rows[0] ? `process ${rows[0].pid} of PostgreSQL` : 'a process that has just ended';
      return undefined;
    };
    await persist(
      lock,
      patience.lockWithinMs,
      patience,
      (reason) => reason || `another migration of ${where} is at work (${holder})`,
    );
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Asks again and again until there is an answer; `attempt` returns undefined or throws while there is none. */
async function persist<T>(
  attempt: () => Promise<T | undefined>,
  withinMs: number,
  { signal, say }: Patience,
  sentence: (reason: string) => string,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  let said = '';
  for (;;) {
    let reason = '';
    try {
      const answer = await attempt();
      if (answer !== undefined) return answer;
    } catch (error) {
      reason = messageOf(error);
    }
    const line = sentence(reason);
    if (performance.now() >= deadline) throw new Error(`${line}, for ${Math.round(withinMs / 1_000)} s now`);
    if (line !== said) say(`waiting: ${line}`);
    said = line;
    await pause(Math.min(500, withinMs), signal);
    if (signal.aborted) throw new Error('told to stop while waiting; nothing was changed');
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // the statement at hand fails, and says why
  try {
    await client.connect();
    // A node that is lost with its Job must not keep the lock until TCP's own two hours are over.
    await client.query('set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3');
    return client;
  } catch (error) {
    client.end().catch(() => undefined); // it never was open
    throw error;
  }
}

async function tryLock(client: pg.Client): Promise<true | undefined> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${LOCK}) as held`);
  return rows[0]?.held === true ? true : undefined;
}
