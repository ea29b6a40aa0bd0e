/**
 * Migrations of one service's database, run as its owner: the chassis's SQL files first, under an advisory lock and with
 * a ledger, then Prisma's. Repeating is safe and, where nothing is new, takes a few milliseconds.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { run } from '../servers/command.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chassisFolder = join(root, 'services', '_shared', 'migrations');
const LEDGER = `
  create schema if not exists chassis;
  create table if not exists chassis.migrations (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now());`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Applies the chassis's files that the ledger does not know; a known file that was changed since is an error. */
const migrateChassis = async (client: pg.Client): Promise<string[]> => {
  const applied: string[] = [];
  await client.query(`select pg_advisory_lock(hashtext('chassis migrations'))`);
  await client.query(LEDGER);
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from chassis.migrations');
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  for (const file of readdirSync(chassisFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()) {
    const sql = readFileSync(join(chassisFolder, file), 'utf8');
    const before = known.get(file);
    if (before === digest(sql)) continue;
    if (before !== undefined)
      throw new Error(`${file} was changed after it had been applied here: write a new file instead`);
    await client.query('begin');
    try {
      await client.query(sql);
      await client.query('insert into chassis.migrations (name, sha256) values ($1, $2)', [file, digest(sql)]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    applied.push(file);
  }
  return applied;
};

/** Whether Prisma's own ledger has every migration of this folder, finished and unchanged; spares starting its command. */
const prismaIsCurrent = async (client: pg.Client, folder: string): Promise<boolean> => {
  const exists = await client.query<{ there: boolean }>(
    `select to_regclass('public._prisma_migrations') is not null as there`,
  );
  if (exists.rows[0]?.there !== true) return false;
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .every(({ name }) => known.get(name) === digest(readFileSync(join(folder, name, 'migration.sql'), 'utf8')));
};

/**
 * Brings the database of one service up to date.
 * @param service folder name under services/
 * @param url connection URL of the owner role, without the password
 * @returns names of what was applied; empty when nothing was new
 */
export const migrate = async (service: string, url: string, password: string): Promise<string[]> => {
  const room = join(root, 'services', service);
  const folder = join(room, 'prisma', 'migrations');
  const target = new URL(url);
  const client = new pg.Client({
    host: target.hostname,
    port: Number(target.port || 5432),
    user: decodeURIComponent(target.username),
    password,
    database: decodeURIComponent(target.pathname.slice(1)),
    application_name: `migrate ${service}`,
  });
  await client.connect();
  try {
    const applied = await migrateChassis(client);
    if (!existsSync(folder) || (await prismaIsCurrent(client, folder))) return applied;
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: url,
      DATABASE_PASSWORD: password,
    };
    const out = await run(join(room, 'node_modules', '.bin', 'prisma'), ['migrate', 'deploy'], { cwd: room, env });
    const files = [...out.matchAll(/Applying migration `([^`]+)`/g)].map((match) => match[1] ?? '');
    return [...applied, ...files.map((file) => basename(file))];
  } finally {
    await client.end();
  }
};
