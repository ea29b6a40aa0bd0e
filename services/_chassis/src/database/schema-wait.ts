/**
 * A service starts against a schema that is at least what its image knows: every migration that lies in the image is
 * applied. More than that is fine, so that the last version runs on beside the migrations of the next one.
 */
import { existsSync, readdirSync } from 'node:fs';
import pg from 'pg';
import { messageOf } from '../errors.ts';
import type { Logger } from '../telemetry/log.ts';
import { pause } from '../process/pause.ts';

const chassisMigrations = new URL('../../migrations/', import.meta.url);

type Ledger = { readonly wanted: readonly string[]; readonly sql: string };

export type SchemaWait = {
  readonly connection: pg.ClientConfig;
  readonly service: string;
  /** Folder of the service. */
  readonly room: URL;
  readonly timeoutMs: number;
  readonly log: Logger;
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called with what is waited for. */
  readonly onWait?: (reason: string) => void;
  readonly pollMs?: number;
  readonly sayEveryMs?: number;
};

/**
 * Resolves once the database has every migration that the image knows.
 * @throws Error when `signal` aborts, or with one sentence that says what to do after `timeoutMs`
 */
export async function waitForSchema(wait: SchemaWait): Promise<void> {
  const { service, timeoutMs, log, signal, onWait, pollMs = 1_000, sayEveryMs = 15_000 } = wait;
  const begun = performance.now();
  let said = -Infinity;
  for (;;) {
    const reason = await reasonNow(wait);
    if (reason === undefined) break;
    const now = performance.now();
    onWait?.(`waits for its schema; ${reason}`);
    if (now - begun >= timeoutMs)
      throw new Error(
        `the schema of ${service} was not there within ${Math.round(timeoutMs / 1_000)} s (${reason}): run the migrations ` +
          `of this version for ${service}, or look at why they failed; see SCHEMA_TIMEOUT for a longer wait`,
      );
    if (now - said >= sayEveryMs) {
      said = now;
      log.warn({ reason, timeout_ms: timeoutMs }, 'waiting for the schema');
    }
    await pause(pollMs, signal);
    if (signal.aborted) throw new Error('the process stops');
  }
  if (said > 0) log.info({ seconds: (performance.now() - begun) / 1_000 }, 'the schema is there');
}

async function reasonNow({ connection, room }: SchemaWait): Promise<string | undefined> {
  try {
    const missing = await missingIn(connection, room);
    return missing.length === 0 ? undefined : `migrations that are not applied: ${missing.join(', ')}`;
  } catch (error) {
    return `the database cannot be asked: ${messageOf(error)}`;
  }
}

/** Names of the image's migrations that the database lacks, in order. */
async function missingIn(connection: pg.ClientConfig, room: URL): Promise<string[]> {
  const client = new pg.Client(connection);
  client.on('error', () => undefined); // it broke between two statements: the next one says so
  try {
    await client.connect();
    const missing: string[] = [];
    for (const { wanted, sql } of ledgersOf(room)) {
      const applied = await appliedIn(client, sql);
      missing.push(...wanted.filter((name) => !applied.has(name)).toSorted());
    }
    return missing;
  } finally {
    client.end().catch(() => undefined); // nobody waits for a server that does not answer
  }
}

/** What the image knows, and where a database says what it has: the chassis's own files, then the service's. */
function ledgersOf(room: URL): readonly Ledger[] {
  return [
    {
      wanted: entriesOf(chassisMigrations)
        .filter((entry) => entry.isFile() && entry.name.endsWith('.sql'))
        .map(({ name }) => name),
      sql: 'SELECT name FROM chassis.migrations',
    },
    {
      wanted: entriesOf(new URL('prisma/migrations/', room))
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

/** What a ledger lists; nothing where there is no ledger yet. */
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
