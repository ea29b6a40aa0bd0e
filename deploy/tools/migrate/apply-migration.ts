/**
 * Applies one migration to a database in use. It waits for an exclusive lock one second at a time: while it waits,
 * every statement on that table waits behind it. Another transaction that holds the table then delays the migration,
 * not the service.
 */
import pg from 'pg';
import { retryUntil, type WaitOptions } from './migration-lock.ts';

export type Migration = {
  readonly name: string;
  readonly sql: string;
  /** Writes it into its ledger, in the migration's transaction if there is one. */
  readonly record: (client: pg.Client) => Promise<unknown>;
};
type Outcome = { readonly error?: Error };

const LOCK_WAIT = '1s';
/** lock_not_available and deadlock_detected: https://www.postgresql.org/docs/15/errcodes-appendix.html */
const lockErrors: ReadonlySet<string | undefined> = new Set(['55P03', '40P01']);

/**
 * Applies a migration and records it: both or nothing, except for an index built concurrently, which no transaction may
 * contain; if its build was interrupted, the next run drops the remains and builds it again.
 * @param options `lockTimeoutMs`: how long locks are tried
 * @throws Error with PostgreSQL's reason, after which nothing is changed
 */
export async function applyMigration(client: pg.Client, migration: Migration, options: WaitOptions): Promise<void> {
  const { name, sql, record } = migration;
  const statements = sql.replaceAll(/--[^\n]*/g, '');
  if (/\bconcurrently\b/i.test(statements)) {
    const index = concurrentIndex(statements);
    if (index !== undefined) await client.query(`drop index concurrently if exists ${index}`);
    await client.query(sql);
    await record(client);
    return;
  }
  const { error } = await retryUntil(
    () => tryOnce(client, migration),
    options.lockTimeoutMs,
    options,
    () => `${name} needs a lock that another session holds`,
  );
  if (error !== undefined) throw error;
}

/** The outcome; undefined if a lock was not to be had. */
async function tryOnce(client: pg.Client, { sql, record }: Migration): Promise<Outcome | undefined> {
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${LOCK_WAIT}'`);
    await client.query(sql);
    await record(client);
    await client.query('commit');
    return {};
  } catch (error) {
    await client.query('rollback');
    return error instanceof pg.DatabaseError && lockErrors.has(error.code) ? undefined : { error: error as Error };
  }
}

/** The index that statements build concurrently, with its schema, which is that of its table. */
function concurrentIndex(statements: string): string | undefined {
  const name = '("[^"]+"|\\w+)';
  const pattern = `create\\s+(?:unique\\s+)?index\\s+concurrently\\s+(?:if\\s+not\\s+exists\\s+)?${name}\\s+on\\s+(?:only\\s+)?(?:${name}\\.)?`;
  const [, index, schema] = new RegExp(pattern, 'i').exec(statements) ?? [];
  return index === undefined || schema === undefined ? index : `${schema}.${index}`;
}
