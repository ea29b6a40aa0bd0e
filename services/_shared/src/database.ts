/** The service's own PostgreSQL database: one pool, shared by the hot statements and by Prisma. */
import pg from 'pg';
import { or, secret, url, whole, type ConfigOf, type ConfigSpec } from './config.ts';
import type { Logger } from './log.ts';

export type { Pool, PoolClient } from 'pg';

export const databaseConfig = {
  databaseUrl: ['DATABASE_URL', url],
  databasePassword: ['DATABASE_PASSWORD', or(secret, undefined)],
  databasePoolSize: ['DATABASE_POOL_SIZE', or(whole(1, 500), 10)],
} as const satisfies ConfigSpec;

/** Anything that runs one statement: a pool or a client inside a transaction. */
export type Executor = Pick<pg.PoolClient, 'query'>;

/** 64-bit integers come as numbers; none of ours leaves the safe range. Everything else is pg's own. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** Options for a pool: separate fields, so that no password is ever part of a printed URL. */
export const poolOptions = (config: ConfigOf<typeof databaseConfig>, service: string): pg.PoolConfig => {
  const target = new URL(config.databaseUrl);
  return {
    host: target.hostname,
    port: Number(target.port || 5432),
    database: decodeURIComponent(target.pathname.slice(1)),
    user: decodeURIComponent(target.username),
    password: config.databasePassword ?? decodeURIComponent(target.password),
    ...(target.searchParams.get('sslmode') === 'require' && { ssl: true }),
    max: config.databasePoolSize,
    application_name: service,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    types,
  };
};

/** Opens the pool. A connection that breaks while idle is logged and replaced at the next use. */
export const openPool = (config: ConfigOf<typeof databaseConfig>, service: string, log: Logger) => {
  const pool = new pg.Pool(poolOptions(config, service));
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection broke'));
  return Object.assign(pool, {
    /** For `own`: waits for running statements. */
    close: () => pool.end(),
    /** For readiness. */
    check: () => pool.query('SELECT 1'),
  });
};

/**
 * Runs `work` with one connection. When the connection ends meanwhile, the statement at hand or the next one fails; with
 * nobody listening it would end the process.
 * @param work may call `discard` for a connection that nobody shall use again
 */
export const withClient = async <T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>,
): Promise<T> => {
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
};

/** Runs `work` in one transaction; any error rolls all of it back and is thrown on. */
export const withTransaction = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  withClient(pool, async (client, discard) => {
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
