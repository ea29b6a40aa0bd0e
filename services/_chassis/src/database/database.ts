/** The service's own PostgreSQL database: pools that plain statements and Prisma share, with a deadline on every wait. */
import { Socket } from 'node:net';
import pg from 'pg';
import { integer, url, withDefault, type ConfigOf, type ConfigSpec, type Reader } from '../config/config.ts';
import { unscaled } from '../config/times.ts';
import { connectionOf, sessionLimits } from './connection.ts';
import { messageOf } from '../errors.ts';
import { databaseLoginConfig, passwordOf, type DatabaseLogin } from './login.ts';
import { reasonToRestart } from './pool-liveness.ts';
import type { Scope } from '../process/run.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { waitForSchema } from './wait-for-schema.ts';

export type { Pool, PoolClient } from 'pg';

/** Its sslmode is checked here too, so that it is reported with all other invalid variables. */
const databaseUrl: Reader<string> = (value, name) => {
  const present = url(value, name);
  try {
    connectionOf(present);
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`, { cause: error });
  }
  return present;
};

export const databaseConfig = {
  /** `postgresql://user@host:port/database`, with `?sslmode=` where TLS is wanted. */
  databaseUrl: ['DATABASE_URL', databaseUrl],
  ...databaseLoginConfig,
  /** Connections of a pool; it opens one more at most. */
  databasePoolSize: ['DATABASE_POOL_SIZE', withDefault(integer(1, 500), 10)],
  /** How long a service waits at startup for the schema that its version requires. */
  ...unscaled({ schemaTimeoutMs: 300_000 }),
} as const satisfies ConfigSpec;

type DatabaseConfig = ConfigOf<typeof databaseConfig>;
type PoolConfig = Pick<DatabaseConfig, 'databaseUrl' | 'databasePoolSize'> & DatabaseLogin;

/** The pools of a process by role; a process has one set of metrics. */
const watchedPools = new WeakMap<Metrics, Map<PoolRole, pg.Pool>>();

/** Runs one statement: a pool, or a client inside a transaction. */
export type Executor = Pick<pg.PoolClient, 'query'>;

/** 64-bit integers are read as numbers: none of ours leaves the safe range. Everything else is pg's default. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === pg.types.builtins.INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

/** How long one step may take, in milliseconds. */
type PoolLimits = {
  readonly statement: number;
  readonly lock: number;
  /** Of a connection, from the pool or new. */
  readonly acquire: number;
  /** Without a byte from or to the server; longer than a statement. */
  readonly silent: number;
};

/** What a pool is for: `background` for events, jobs and periodic tasks, `rpc` for calls that a caller waits for. */
type PoolRole = 'background' | 'rpc';

const limitsOf: Readonly<Record<PoolRole, PoolLimits>> = {
  background: {
    statement: sessionLimits.statement_timeout,
    lock: sessionLimits.lock_timeout,
    acquire: 10_000,
    silent: 33_000,
  },
  // Callers wait 2 to 3 s for a reply.
  rpc: { statement: 5_000, lock: 3_000, acquire: 3_000, silent: 7_000 },
};

type Deps = Pick<
  Scope<typeof databaseConfig>,
  'config' | 'log' | 'health' | 'metrics' | 'signal' | 'forceClose' | 'own'
>;

/**
 * Waits until the database has the schema that this image requires, then opens the pool, closes it with the process and
 * adds it to readiness.
 * @param main the `import.meta.url` of the service's main.ts
 */
export async function openDatabase(deps: Deps, service: string, main: string) {
  const { config, log, health, signal } = deps;
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
  const pool = openWatchedPool(deps, service, 'background', config.databasePoolSize);
  health.add('database', pool.check);
  return pool;
}

/** Opens a pool that is closed with the process, and watched. Only after `openDatabase`, which waits for the schema. */
export function openWatchedPool(deps: Omit<Deps, 'signal'>, service: string, role: PoolRole, size: number) {
  const { config, log, health, metrics, forceClose, own } = deps;
  const limits = limitsOf[role];
  const settings = { ...config, databasePoolSize: size };
  const pool = own(`${role} database pool`, openPool(settings, service, log, limits));
  forceClose.addEventListener('abort', pool.cut, { once: true });
  health.addLiveness(reasonToRestart(pool, poolOptions(settings, service, limits)));
  exportPool(metrics, role, pool);
  return pool;
}

/** Options for a pool. */
export function poolOptions(config: PoolConfig, service: string, limits = limitsOf.background) {
  const { statement, lock, acquire, silent } = limits;
  return {
    ...connectionOf(config.databaseUrl, passwordOf(config)),
    max: config.databasePoolSize,
    application_name: service,
    ...sessionLimits,
    statement_timeout: statement,
    lock_timeout: lock,
    // A lost machine never ends a statement: without this it would be awaited until TCP times out.
    query_timeout: silent + 2_000,
    connectionTimeoutMillis: acquire,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types,
  } satisfies pg.PoolConfig;
}

/** Opens the pool. A connection that breaks while idle is logged and replaced at its next use. */
export function openPool(config: PoolConfig, service: string, log: Logger, limits = limitsOf.background) {
  const sockets = trackSockets();
  const options = { ...poolOptions(config, service, limits), stream: sockets.open, Client: ClosingClient };
  const pool = new pg.Pool(options);
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection broke'));
  // A server may end a connection right behind its handshake, before the caller can listen: without a listener
  // that error would end the process. The first statement on the connection fails with it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  breakSilentConnections(pool, limits.silent);
  let closed: Promise<void> | undefined;
  return Object.assign(pool, {
    /** Waits for running statements. */
    close: () => (closed ??= pool.end()),
    /** Breaks every connection, and each further one: nothing waits for the server any longer. */
    cut: sockets.cut,
    /** A readiness check. */
    check: () => pool.query('SELECT 1'),
  });
}

/** Where no password can be got, pg leaves the connection open, and the server keeps a place for it. */
class ClosingClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as pg.PoolClient;
    connection.once('error', () => connection.stream.destroy());
  }
}

/** The sockets of a pool, including those still connecting. */
function trackSockets() {
  const open = new Set<Socket>();
  let isCut = false;
  const destroy = (socket: Socket): void => void socket.destroy(lost('the connection was cut: the process stops'));
  return {
    open: (): Socket => {
      const socket = new Socket();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      if (isCut) process.nextTick(destroy, socket); // pg connects it first
      return socket;
    },
    cut: (): void => {
      isCut = true;
      open.forEach(destroy);
    },
  };
}

/**
 * Breaks a connection in use without traffic for `silentMs`: the server, or the way to it, is lost. pg's own timeout
 * fails only the statement, and leaves its connection to the next one.
 */
function breakSilentConnections(pool: pg.Pool, silentMs: number): void {
  const streamOf = (client: pg.PoolClient): Socket => client.connection.stream as Socket;
  pool.on('connect', (client) => {
    const stream = streamOf(client);
    stream.on('timeout', () => stream.destroy(lost(`the database was silent for ${silentMs} ms`)));
  });
  pool.on('acquire', (client) => streamOf(client).setTimeout(silentMs));
  pool.on('release', (_error, client) => streamOf(client).setTimeout(0));
}

/** An error that counts as an unavailable dependency. */
function lost(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** Exports connections by state, and callers waiting for one: then the pool is too small. */
function exportPool(metrics: Metrics, role: PoolRole, pool: pg.Pool): void {
  const known = watchedPools.get(metrics);
  if (known) return void known.set(role, pool);
  const all = new Map([[role, pool]]);
  watchedPools.set(metrics, all);
  const help = 'Connections of a pool, and callers waiting for one';
  metrics.gauge('vds_database_connections', help, ['pool', 'state'], (gauge) => {
    for (const [name, { idleCount, totalCount, waitingCount }] of all) {
      gauge.set({ pool: name, state: 'idle' }, idleCount);
      gauge.set({ pool: name, state: 'busy' }, totalCount - idleCount);
      // The pool hands out an idle connection at the next tick: such a caller, perhaps another metric, does not wait.
      gauge.set({ pool: name, state: 'waited_for' }, Math.max(0, waitingCount - idleCount));
    }
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
