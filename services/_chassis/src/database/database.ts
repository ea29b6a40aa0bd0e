/** The service's own PostgreSQL database: one pool, shared by plain statements and Prisma. */
import pg from 'pg';
import {
  choice,
  duration,
  integer,
  optional,
  secret,
  url,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
} from '../config/config.ts';
import { connectionOf } from './connection.ts';
import type { Scope } from '../process/run.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { waitForSchema } from './schema-wait.ts';
import { sendUnnamed } from './unnamed-statements.ts';

export type { Pool, PoolClient } from 'pg';

export const databaseConfig = {
  databaseUrl: ['DATABASE_URL', url],
  databasePassword: ['DATABASE_PASSWORD', optional(secret)],
  databasePoolSize: ['DATABASE_POOL_SIZE', withDefault(integer(1, 500), 10)],
  /** `off` behind a pooler that shares connections between transactions. */
  databasePreparedStatements: ['DATABASE_PREPARED_STATEMENTS', withDefault(choice('on', 'off'), 'on')],
  /** How long a service waits at startup for the schema that its version requires. */
  schemaTimeoutMs: ['SCHEMA_TIMEOUT', withDefault(duration, 300_000)],
} as const satisfies ConfigSpec;

type DatabaseConfig = ConfigOf<typeof databaseConfig>;
type PoolConfig = Pick<DatabaseConfig, 'databaseUrl' | 'databasePassword' | 'databasePoolSize'> &
  Partial<Pick<DatabaseConfig, 'databasePreparedStatements'>>;

/** Runs one statement: a pool, or a client inside a transaction. */
export type Executor = Pick<pg.PoolClient, 'query'>;

/** 64-bit integers are read as numbers, as none of ours leaves the safe range. Everything else is pg's default. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

type Deps = Pick<Scope<typeof databaseConfig>, 'config' | 'log' | 'health' | 'metrics' | 'signal' | 'own'>;

/**
 * Waits until the database has the schema that this image requires, then opens the pool, closes it with the process and
 * adds it to readiness.
 * @param main the `import.meta.url` of the service's main.ts
 */
export async function openDatabase({ config, log, health, metrics, signal, own }: Deps, service: string, main: string) {
  let waitReason = 'not checked yet';
  health.add('database', () => Promise.reject(new Error(waitReason)));
  await waitForSchema({
    connection: poolOptions(config, service),
    service,
    serviceRoot: new URL('../', main),
    timeoutMs: config.schemaTimeoutMs,
    log,
    signal,
    onWait: (reason) => void (waitReason = reason),
  });
  const pool = own('database', openPool(config, service, log));
  exportPool(pool, metrics);
  health.add('database', pool.check);
  return pool;
}

/** Options for a pool. */
export function poolOptions(config: PoolConfig, service: string): pg.PoolConfig {
  return {
    ...connectionOf(config.databaseUrl, config.databasePassword),
    max: config.databasePoolSize,
    application_name: service,
    statement_timeout: 30_000,
    // A server whose machine is lost never ends a statement: without this it would be awaited until TCP times out.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    types,
  };
}

/** Opens the pool. A connection that breaks while idle is logged and replaced at its next use. */
export function openPool(config: PoolConfig, service: string, log: Logger) {
  const pool = new pg.Pool(poolOptions(config, service));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  // A server may end a connection right behind its handshake, before whoever waits for it can listen: without a listener
  // that error would end the process. The first statement on the connection fails with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (config.databasePreparedStatements === 'off') pool.on('connect', sendUnnamed);
  return Object.assign(pool, {
    /** Waits for running statements. */
    close: () => pool.end(),
    /** A readiness check. */
    check: () => pool.query('SELECT 1'),
  });
}

/** Connections by state, and callers waiting for one, which show that the pool is too small. */
function exportPool(pool: pg.Pool, metrics: Metrics): void {
  const help = 'Connections of the pool, and callers waiting for one';
  metrics.gauge('vds_database_connections', help, ['state'], (gauge) => {
    gauge.set({ state: 'idle' }, pool.idleCount);
    gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    gauge.set({ state: 'waited_for' }, pool.waitingCount);
  });
}

/** Runs `work` in one transaction; an error rolls it back and is rethrown. */
export function withTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client, discard) => {
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(discard);
      throw error;
    }
  });
}

/**
 * Runs `work` with one connection. If the connection breaks, the current or next statement fails; without an error
 * listener it would end the process.
 * @param work may call `discard` on a connection that must not be used again
 */
export async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const discard = (error: Error): void => void (broken = error);
  client.on('error', discard);
  try {
    return await work(client, discard);
  } finally {
    client.off('error', discard);
    client.release(broken);
  }
}
