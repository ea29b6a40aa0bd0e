/**
 * Migrations of one service's database, run as its owner: first the chassis's SQL files, with their own ledger, then Prisma's,
 * under one advisory lock. Idempotent; takes a few milliseconds if there is nothing to apply.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectionOf } from '@vds/chassis/database/database-url';
import type pg from 'pg';
import { withMigrationLock, type WaitOptions } from './migration-lock.ts';
import {
  digest,
  migrationsIn,
  deployMigrations,
  readLedger,
  resolveUnfinished,
  type Ledger,
  type Login,
} from './prisma-migrations.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const chassisFolder = join(root, 'services', '_chassis', 'migrations');
const LEDGER = `
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
 */
export function migrate(
  service: string,
  url: string,
  password: string,
  wait: Partial<WaitOptions> = {},
): Promise<string[]> {
  return withLockedDatabase(service, { url, password }, wait, async (client) => [
    ...(await migrateChassis(client)),
    ...(await migratePrisma(client, service, { url, password })),
  ]);
}

function withLockedDatabase<T>(
  service: string,
  { url, password }: Login,
  wait: Partial<WaitOptions>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = { ...connectionOf(url, password), application_name: `migrate ${service}` };
  return withMigrationLock({ connectionTimeoutMillis: 10_000, ...connection }, { ...defaultWait, ...wait }, work);
}

/** Applies the chassis's files that are not in the ledger; a file that was changed after it was applied is an error. */
async function migrateChassis(client: pg.Client): Promise<string[]> {
  const applied: string[] = [];
  await client.query(LEDGER);
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from chassis.migrations');
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const files = readdirSync(chassisFolder).filter((name) => name.endsWith('.sql'));
  for (const file of files.toSorted()) {
    const sql = readFileSync(join(chassisFolder, file), 'utf8');
    const checksum = known.get(file);
    if (checksum === digest(sql)) continue;
    if (checksum !== undefined)
      throw new Error(`${file} was changed after it was applied to this database: write a new file instead`);
    await applyFile(client, file, sql);
    applied.push(file);
  }
  return applied;
}

/** Applies a file together with its ledger entry, in one transaction; a concurrent index build cannot run in one. */
async function applyFile(client: pg.Client, file: string, sql: string): Promise<void> {
  const record = (): Promise<unknown> =>
    client.query('insert into chassis.migrations (name, sha256) values ($1, $2)', [file, digest(sql)]);
  if (/\bconcurrently\b/i.test(sql)) {
    await client.query(sql);
    await record();
    return;
  }
  await client.query('begin');
  try {
    await client.query(sql);
    await record();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Applies Prisma's migrations; what is missing and what was applied is read from the ledger. */
async function migratePrisma(client: pg.Client, service: string, login: Login): Promise<string[]> {
  const folder = folderOf(service);
  const wanted = migrationsIn(folder);
  const before = await readLedger(client);
  rejectUnfinished(service, before);
  const changed = wanted.find(({ name, checksum }) => (before.applied.get(name) ?? checksum) !== checksum);
  if (changed)
    throw new Error(
      `${changed.name} of ${service} was changed after it was applied to this database: write a new migration`,
    );
  const missing = wanted.filter(({ name }) => !before.applied.has(name));
  if (missing.length === 0) return [];
  const output = await deployMigrations(folder, login);
  const after = await readLedger(client);
  rejectUnfinished(service, after);
  const failed = wanted.find(({ name }) => !after.applied.has(name));
  if (failed) throw new Error(`${failed.name} of ${service} was not applied: ${output.slice(-2_000)}`);
  return missing.map(({ name }) => name);
}

function folderOf(service: string): string {
  return join(root, 'services', service);
}

/** Throws for an unfinished migration, with instructions for the operator. */
function rejectUnfinished(service: string, { unfinished }: Ledger): void {
  const [first] = unfinished;
  if (first === undefined) return;
  const lines = first.logs?.trim().split('\n') ?? ['its process was killed'];
  const why = lines.find((line) => /\berror: /i.test(line)) ?? lines.at(-1) ?? '';
  const command = `deploy/tools/migrate/main.ts ${service}`;
  throw new Error(
    `${first.name} of ${service} started at ${first.startedAt.toISOString()} and did not finish (${why.trim()}). Check what it changed ` +
      `in the database. PostgreSQL rolls back a file that fails, unless the file controls its own transactions, so usually it ` +
      `changed nothing: then run this image once with \`${command} --rolled-back ${first.name}\`, and the migrations again. ` +
      `If all of it was applied, or you completed it by hand: \`${command} --applied ${first.name}\`.`,
  );
}

/**
 * Resolves an unfinished migration in the ledger, as `prisma migrate resolve` would; that command needs an engine binary which
 * no package registry has.
 * @param as `applied`: all of it is in the database; `rolled-back`: none of it, it runs again
 */
export function resolveMigration(
  service: string,
  name: string,
  as: 'applied' | 'rolled-back',
  login: Login,
  wait: Partial<WaitOptions> = {},
): Promise<void> {
  return withLockedDatabase(service, login, wait, async (client) => {
    const file = migrationsIn(folderOf(service)).find((migration) => migration.name === name);
    const { unfinished } = await readLedger(client);
    if (!unfinished.some((row) => row.name === name))
      throw new Error(`${name} of ${service} is not an unfinished migration: there is nothing to resolve`);
    if (as === 'applied' && !file) throw new Error(`${name} is not among the migrations of ${service} in this version`);
    await resolveUnfinished(client, name, as === 'applied' ? file?.checksum : undefined);
  });
}
