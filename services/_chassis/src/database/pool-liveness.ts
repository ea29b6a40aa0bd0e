/**
 * Detects a pool that cannot recover: it hands out no connection although the server accepts a new one. Then only a
 * restart of the process helps. A server that is away is no reason: that is readiness.
 */
import pg from 'pg';
import { startPeriodic } from '../process/periodic.ts';
import type { Logger } from '../telemetry/log.ts';

type Observation = {
  /** Somebody got a connection since the last look. */
  readonly handedOut: boolean;
  /** A new connection, outside of the pool, works. */
  readonly serverAnswers: boolean;
  /** On the monotonic clock. */
  readonly atMs: number;
};

/** How long the server may take for a new connection, and for a statement on it. */
const ANSWER_MS = 5_000;

type Options = {
  /** Shown to the operator. */
  readonly name: string;
  readonly log: Logger;
  /** How to connect outside of the pool. */
  readonly connection: pg.ClientConfig;
  readonly everyMs?: number;
  /** How long a stuck pool is given to recover. */
  readonly stuckMs?: number;
};

/** Since when the pool is stuck, as far as an observation shows; undefined while it is not. */
export function stuckSince(before: number | undefined, { handedOut, serverAnswers, atMs }: Observation) {
  return handedOut || !serverAnswers ? undefined : (before ?? atMs);
}

/** Looks at the pool until it is closed. */
export function watchPool(pool: pg.Pool, { name, log, connection, everyMs = 10_000, stuckMs = 60_000 }: Options) {
  let since: number | undefined;
  let handedOut = 0;
  pool.on('acquire', () => (handedOut += 1));
  const stuckForMs = (): number => (since === undefined ? 0 : performance.now() - since);
  const look = async (): Promise<void> => {
    const before = handedOut;
    await pool.connect().then(
      (client) => client.release(),
      () => undefined,
    );
    const isHandingOut = handedOut > before;
    const serverAnswers = isHandingOut || (await answers(connection));
    since = stuckSince(since, { handedOut: isHandingOut, serverAnswers, atMs: performance.now() });
    if (since !== undefined) log.error({ pool: name, seconds: stuckForMs() / 1_000 }, 'the database pool is stuck');
  };
  const periodic = startPeriodic({ log, everyMs, tasks: { 'watch-pool': look } });
  return {
    /** Not awaited: the last look may wait for a silent server. */
    close: async (): Promise<void> => void periodic.close(),
    /** How long the pool has been stuck; 0 while it is not. */
    stuckForMs,
    /** A liveness check. */
    reasonToRestart: (): string | undefined =>
      stuckForMs() < stuckMs
        ? undefined
        : `the ${name} pool has handed out no connection for ${Math.round(stuckForMs() / 1_000)} s although the database answers`,
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
