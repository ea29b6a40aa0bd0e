/**
 * Migrations of one service's database, run as its owner: the chassis's SQL files first, with a ledger, then Prisma's;
 * all under one advisory lock. Repeating is safe and, where nothing is new, takes a few milliseconds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectionOf } from '@vds/chassis/database/connection';
import type pg from 'pg';
import { withMigrationLock, type Patience } from './migration-lock.ts';
import {
  digest,
  migrationsIn,
  deployMigrations,
  readLedger,
  settleUnfinished,
  type Ledger,
  type Login,
} from './prisma-migrations.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const chassisFolder = join(root, 'services', '_chassis', 'migrations');
const LEDGER = `
  create schema if not exists chassis;
  create table if not exists chassis.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now());`;

const noPatience: Patience = {
  reachWithinMs: 0,
  lockWithinMs: 300_000,
  signal: new AbortController().signal,
  say: () => {},
};

/**
 * Brings the database of one service up to date. Several may do so at once: one works, the others wait and find nothing new.
 * @param service folder name under services/
 * @param url connection URL of the owner role, without the password
 * @returns names of what was applied; empty when nothing was new
 */
export function migrate(
  service: string,
  url: string,
  password: string,
  patience: Partial<Patience> = {},
): Promise<string[]> {
  return locked(service, { url, password }, patience, async (client) => [
    ...(await migrateChassis(client)),
    ...(await migratePrisma(client, service, { url, password })),
  ]);
}

function locked<T>(
  service: string,
  { url, password }: Login,
  patience: Partial<Patience>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const connection = { ...connectionOf(url, password), application_name: `migrate ${service}` };
  return withMigrationLock({ connectionTimeoutMillis: 10_000, ...connection }, { ...noPatience, ...patience }, work);
}

/** Applies the chassis's files that the ledger does not know; a known file that was changed since is an error. */
async function migrateChassis(client: pg.Client): Promise<string[]> {
  const applied: string[] = [];
  await client.query(LEDGER);
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from chassis.migrations');
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const files = readdirSync(chassisFolder).filter((name) => name.endsWith('.sql'));
  for (const file of files.toSorted()) {
    const sql = readFileSync(join(chassisFolder, file), 'utf8');
    const before = known.get(file);
    if (before === digest(sql)) continue;
    if (before !== undefined)
      throw new Error(`${file} was changed after it had been applied here: write a new file instead`);
    await applyFile(client, file, sql);
    applied.push(file);
  }
  return applied;
}

/** One file and its line in the ledger: both or none. An index that is built beside writers cannot be in a transaction. */
async function applyFile(client: pg.Client, file: string, sql: string): Promise<void> {
  const enter = (): Promise<unknown> =>
    client.query('insert into chassis.migrations (name, sha256) values ($1, $2)', [file, digest(sql)]);
  if (/\bconcurrently\b/i.test(sql)) {
    await client.query(sql);
    await enter();
    return;
  }
  await client.query('begin');
  try {
    await client.query(sql);
    await enter();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Prisma's migrations; the ledger says before and after what is to be done and what was. */
async function migratePrisma(client: pg.Client, service: string, login: Login): Promise<string[]> {
  const room = roomOf(service);
  const wanted = migrationsIn(room);
  const before = await readLedger(client);
  refuseUnfinished(service, before);
  const changed = wanted.find(({ name, checksum }) => (before.applied.get(name) ?? checksum) !== checksum);
  if (changed)
    throw new Error(`${changed.name} of ${service} was changed after it had been applied here: write a new one`);
  const missing = wanted.filter(({ name }) => !before.applied.has(name));
  if (missing.length === 0) return [];
  const said = await deployMigrations(room, login);
  const after = await readLedger(client);
  refuseUnfinished(service, after);
  const failed = wanted.find(({ name }) => !after.applied.has(name));
  if (failed) throw new Error(`${failed.name} of ${service} was not applied: ${said.slice(-2_000)}`);
  return missing.map(({ name }) => name);
}

function roomOf(service: string): string {
  return join(root, 'services', service);
}

/** What somebody has to do about a migration that began and did not end. */
function refuseUnfinished(service: string, { unfinished }: Ledger): void {
  const [first] = unfinished;
  if (first === undefined) return;
  const lines = first.logs?.trim().split('\n') ?? ['whoever ran it was killed'];
  const why = lines.find((line) => /\berror: /i.test(line)) ?? lines.at(-1) ?? '';
  const say = `deploy/tools/migrate/main.ts ${service}`;
  throw new Error(
    `${first.name} of ${service} began at ${first.began.toISOString()} and did not end (${why.trim()}). Look at what of it is in the ` +
      `database. PostgreSQL takes back a file that fails, unless it has statements of its own transactions; so mostly it is ` +
      `nothing: then run this image once with \`${say} --rolled-back ${first.name}\`, and the migrations again. ` +
      `Is all of it there, or did you complete it by hand: \`${say} --applied ${first.name}\`.`,
  );
}

/**
 * Says of a migration that began and did not end what became of it, in the ledger and as `prisma migrate resolve` would,
 * which needs a program that is in no registry.
 * @param as `applied`: all of it is in the database; `rolled-back`: nothing of it, it shall run again
 */
export function resolveMigration(
  service: string,
  name: string,
  as: 'applied' | 'rolled-back',
  login: Login,
  patience: Partial<Patience> = {},
): Promise<void> {
  return locked(service, login, patience, async (client) => {
    const file = migrationsIn(roomOf(service)).find((migration) => migration.name === name);
    const { unfinished } = await readLedger(client);
    if (!unfinished.some((row) => row.name === name))
      throw new Error(
        `${name} of ${service} is no migration that began and did not end: there is nothing to say of it`,
      );
    if (as === 'applied' && !file) throw new Error(`${name} is not among the migrations of ${service} in this version`);
    await settleUnfinished(client, name, as === 'applied' ? file?.checksum : undefined);
  });
}
