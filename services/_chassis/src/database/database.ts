/** The service's own PostgreSQL database: one pool, shared by the hot statements and by Prisma. */
import pg from 'pg';
import {
  duration,
  integer,
  optional,
  secret,
  url,
  withDefault,
  type ConfigOf,
  type ConfigSpec,
} from '../config/config.ts';
import { connectionOf } from './database-url.ts';
import type { Health } from '../process/health.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { waitForSchema } from './schema-wait.ts';

export type { Pool, PoolClient } from 'pg';

export const databaseConfig = {
  databaseUrl: ['DATABASE_URL', url],
  databasePassword: ['DATABASE_PASSWORD', optional(secret)],
  databasePoolSize: ['DATABASE_POOL_SIZE', withDefault(integer(1, 500), 10)],
  /** How long a service waits at its start for the schema that its version knows. */
  schemaTimeoutMs: ['SCHEMA_TIMEOUT', withDefault(duration, 300_000)],
} as const satisfies ConfigSpec;

type Config = ConfigOf<typeof databaseConfig>;
type PoolConfig = Omit<Config, 'schemaTimeoutMs'>;

/** Anything that runs one statement: a pool or a client inside a transaction. */
export type Executor = Pick<pg.PoolClient, 'query'>;

/** 64-bit integers come as numbers; none of ours leaves the safe range. Everything else is pg's own. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

type Opening = {
  readonly config: Config;
  readonly log: Logger;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly signal: AbortSignal;
  readonly own: <T extends { readonly close: () => Promise<unknown> }>(name: string, part: T) => T;
};

/**
 * Waits until the database has the schema that this image knows, then opens the pool and makes it a part of the process
 * and of its readiness.
 * @param main the `import.meta.url` of the service's main.ts
 */
export async function openDatabase(
  { config, log, health, metrics, signal, own }: Opening,
  service: string,
  main: string,
) {
  let waits = 'is not asked yet';
  health.add('database', () => Promise.reject(new Error(waits)));
  await waitForSchema({
    connection: poolOptions(config, service),
    service,
    room: new URL('../', main),
    timeoutMs: config.schemaTimeoutMs,
    log,
    signal,
    onWait: (reason) => void (waits = reason),
  });
  const pool = own('database', openPool(config, service, log));
  watchPool(pool, metrics);
  health.add('database', pool.check);
  return pool;
}

/** Options for a pool: separate fields, so that no password is ever part of a printed URL. */
export function poolOptions(config: PoolConfig, service: string): pg.PoolConfig {
  return {
    ...connectionOf(config.databaseUrl, config.databasePassword),
    max: config.databasePoolSize,
    application_name: service,
    statement_timeout: 30_000,
    // A server whose machine is lost ends no statement: without this one would be waited for until TCP gives up.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    types,
  };
}

/** Opens the pool. A connection that breaks while idle is logged and replaced at the next use. */
export function openPool(config: PoolConfig, service: string, log: Logger) {
  const pool = new pg.Pool(poolOptions(config, service));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  return Object.assign(pool, {
    /** For `own`: waits for running statements. */
    close: () => pool.end(),
    /** For readiness. */
    check: () => pool.query('SELECT 1'),
  });
}

/** Connections by what they do, and callers who wait for one: a pool that is too small shows itself there. */
function watchPool(pool: pg.Pool, metrics: Metrics): void {
  return void metrics.gauge(
    'vds_database_connections',
    'Connections of the pool, and callers who wait',
    ['state'],
    (gauge) => {
      gauge.set({ state: 'idle' }, pool.idleCount);
      gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
      gauge.set({ state: 'waited_for' }, pool.waitingCount);
    },
  );
}

/** Runs `work` in one transaction; any error rolls all of it back and is thrown on. */
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
 * Runs `work` with one connection. When the connection ends meanwhile, the statement at hand or the next one fails; with
 * nobody listening it would end the process.
 * @param work may call `discard` for a connection that nobody shall use again
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
