/**
 * A service starts only when every migration in its image has been applied. Further migrations are fine: the previous
 * version keeps running while those of the next one are applied.
 */
import { existsSync, readdirSync } from 'node:fs';
import pg from 'pg';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../async.ts';

const chassisMigrations = new URL('../../migrations/', import.meta.url);

type Ledger = { readonly wanted: readonly string[]; readonly sql: string };

export type SchemaWait = {
  readonly connection: pg.ClientConfig;
  readonly service: string;
  /** Folder of the service. */
  readonly serviceRoot: URL;
  readonly timeoutMs: number;
  readonly log: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called with the reason of the wait. */
  readonly onWait?: (reason: string) => void;
  readonly pollMs?: number;
  readonly logEveryMs?: number;
};

/**
 * Resolves once the database has every migration of the image.
 * @throws Error when `signal` aborts, or after `timeoutMs` with instructions
 */
export async function waitForSchema(wait: SchemaWait): Promise<void> {
  const { service, timeoutMs, log, signal, onWait, pollMs = 1_000, logEveryMs = 15_000 } = wait;
  const startedAt = performance.now();
  let loggedAt = -Infinity;
  for (;;) {
    const reason = await reasonToWait(wait);
    if (reason === undefined) break;
    const now = performance.now();
    onWait?.(`waiting for the schema; ${reason}`);
    if (now - startedAt >= timeoutMs)
      throw new Error(
        `the schema of ${service} was not complete within ${Math.round(timeoutMs / 1_000)} s (${reason}): run the migrations ` +
          `of this version for ${service}, or find out why they failed`,
      );
    if (now - loggedAt >= logEveryMs) {
      loggedAt = now;
      log.warn({ reason, timeout_ms: timeoutMs }, 'waiting for the schema');
    }
    await pause(pollMs, signal);
    if (signal.aborted) throw new Error('the process is stopping');
  }
  if (loggedAt > 0) log.info({ seconds: (performance.now() - startedAt) / 1_000 }, 'schema complete');
}

async function reasonToWait({ connection, serviceRoot }: SchemaWait): Promise<string | undefined> {
  try {
    const missing = await missingMigrations(connection, serviceRoot);
    return missing.length === 0 ? undefined : `migrations not applied: ${missing.join(', ')}`;
  } catch (error) {
    return `the database cannot be queried: ${messageOf(error)}`;
  }
}

/** Names of the image's migrations that are not applied, in order. */
async function missingMigrations(connection: pg.ClientConfig, serviceRoot: URL): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // a break between two statements fails the next one
  try {
    await client.connect();
    const missing: string[] = [];
    for (const { wanted, sql } of ledgersOf(serviceRoot)) {
      const applied = await appliedIn(client, sql);
      missing.push(...wanted.filter((name) => !applied.has(name)).toSorted());
    }
    return missing;
  } finally {
    client.end().catch(() => undefined); // not awaited, as the server may be unreachable
  }
}

/** The image's migrations and the table of applied ones: the chassis's, then the service's. */
function ledgersOf(serviceRoot: URL): readonly Ledger[] {
  return [
    {
      wanted: entriesOf(chassisMigrations)
        .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
        .map(({ name }) => name),
      sql: 'SELECT name FROM chassis.migrations',
    },
    {
      wanted: entriesOf(new URL('prisma/migrations/', serviceRoot))
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
      sql: `SELECT migration_name AS name FROM public._prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    },
  ];
}

function entriesOf(folder: URL) {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

/** The applied ones; none if the table does not exist yet. */
async function appliedIn(client: pg.Client, sql: string): Promise<ReadonlySet<string>> {
  const undefinedTable = '42P01';
  try {
    const { rows } = await client.query<{ name: string }>(sql);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return new Set();
    throw error;
  }
}
