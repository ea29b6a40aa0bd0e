/**
 * Migrations of one service's database, run as its owner: first the chassis's SQL files, with their own ledger, then the
 * service's, with Prisma's ledger, under one advisory lock. Idempotent; takes a few milliseconds if there is nothing to apply.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectionOf } from '@vds/chassis/database/connection';
import type { Password } from '@vds/chassis/database/login';
import { messageOf } from '@vds/chassis/errors';
import type pg from 'pg';
import { applyMigration } from './apply-migration.ts';
import { withMigrationLock, type WaitOptions } from './migration-lock.ts';
import { digest, migrationsIn, readLedger, recordApplied } from './prisma-migrations.ts';

type Ledger = {
  readonly files: readonly { readonly name: string; readonly sql: string; readonly checksum: string }[];
  /** Name → checksum. */
  readonly applied: ReadonlyMap<string, string>;
  readonly record: (client: pg.Client, name: string, checksum: string) => Promise<unknown>;
};

const servicesFolder = fileURLToPath(new URL('../../../services', import.meta.url));
const chassisFolder = join(servicesFolder, '_chassis', 'migrations');
const CHASSIS_LEDGER = `
  create schema if not exists chassis;
  create table if not exists chassis.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now());`;

const defaultWait: WaitOptions = {
  connectTimeoutMs: 0,
  lockTimeoutMs: 300_000,
  signal: new AbortController().signal,
  log: () => {},
};

/**
 * Brings the database of one service up to date. Concurrent calls are safe: one migrates, the others wait and find nothing to do.
 * @param service folder name under services/
 * @param url connection URL of the owner role, without the password
 * @returns the names of the applied migrations
 * @throws Error naming the migration that failed; it has changed nothing, and those before it are recorded
 */
export function migrate(
  service: string,
  url: string,
  password: Password | undefined,
  wait: Partial<WaitOptions> = {},
): Promise<string[]> {
  const options = { ...defaultWait, ...wait };
  const connection = { ...connectionOf(url, password), application_name: `migrate ${service}` };
  return withMigrationLock({ connectionTimeoutMillis: 10_000, ...connection }, options, async (client) => [
    ...(await applyMissing(client, service, await chassisLedger(client), options)),
    ...(await applyMissing(client, service, await serviceLedger(client, service), options)),
  ]);
}

async function chassisLedger(client: pg.Client): Promise<Ledger> {
  await client.query(CHASSIS_LEDGER);
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from chassis.migrations');
  const names = readdirSync(chassisFolder).filter((name) => name.endsWith('.sql'));
  return {
    files: names.toSorted().map((name) => {
      const sql = readFileSync(join(chassisFolder, name), 'utf8');
      return { name, sql, checksum: digest(sql) };
    }),
    applied: new Map(rows.map(({ name, sha256 }) => [name, sha256])),
    record: (of, name, checksum) =>
      of.query('insert into chassis.migrations (name, sha256) values ($1, $2)', [name, checksum]),
  };
}

async function serviceLedger(client: pg.Client, service: string): Promise<Ledger> {
  const files = migrationsIn(join(servicesFolder, service));
  return { files, applied: await readLedger(client), record: recordApplied };
}

/** Applies the files that are not in the ledger; a file that was changed after it was applied is an error. */
async function applyMissing(
  client: pg.Client,
  service: string,
  { files, applied, record }: Ledger,
  options: WaitOptions,
): Promise<string[]> {
  const changed = files.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum);
  if (changed)
    throw new Error(
      `${changed.name} of ${service} was changed after it was applied to this database: write a new migration`,
    );
  const missing = files.filter(({ name }) => !applied.has(name));
  for (const { name, sql, checksum } of missing) {
    const migration = { name, sql, record: (of: pg.Client) => record(of, name, checksum) };
    await applyMigration(client, migration, options).catch((cause: unknown) => {
      throw new Error(`${name} of ${service} failed: ${messageOf(cause)}`, { cause });
    });
  }
  return missing.map(({ name }) => name);
}
