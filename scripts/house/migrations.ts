/**
 * Migrations of one service's database, run as its owner: the chassis's SQL files first, under an advisory lock and with
 * a ledger, then Prisma's. Repeating is safe and, where nothing is new, takes a few milliseconds.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

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

/** Prisma's migrations of a service, with the checksums that its ledger has for them. */
const prismaMigrations = (folder: string): { name: string; checksum: string }[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, checksum: digest(readFileSync(join(folder, name, 'migration.sql'), 'utf8')) }));
};

/** Prisma's own ledger: checksum by name of what was applied to its end. */
const appliedByPrisma = async (client: pg.Client): Promise<Map<string, string>> => {
  const exists = await client.query<{ there: boolean }>(
    `select to_regclass('public._prisma_migrations') is not null as there`,
  );
  if (exists.rows[0]?.there !== true) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select migration_name as name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
};

/**
 * Runs `prisma migrate deploy`. It is ended once it has said that it is done: it would go on for ten seconds, until a
 * timer of its lock runs out. The ledger, not its exit code, tells whether it did its work.
 */
const deploy = async (room: string, url: string, password: string): Promise<string> =>
  await new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATABASE_URL: url,
      DATABASE_PASSWORD: password,
    };
    const command = join(room, 'node_modules', '.bin', 'prisma');
    const child = spawn(command, ['migrate', 'deploy'], { cwd: room, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        said += data;
        if (/successfully applied\.|No pending migrations/.test(said)) child.kill();
      });
    }
    child.once('error', reject);
    child.once('close', () => resolve(said));
  });

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
    const chassis = await migrateChassis(client);
    const before = await appliedByPrisma(client);
    const wanted = prismaMigrations(folder);
    const missing = wanted.filter(({ name, checksum }) => before.get(name) !== checksum);
    if (missing.length === 0) return chassis;
    const said = await deploy(room, url, password);
    const after = await appliedByPrisma(client);
    const failed = wanted.find(({ name, checksum }) => after.get(name) !== checksum);
    if (failed !== undefined)
      throw new Error(`${failed.name} of ${service} was not applied: ${said.trim().slice(-2000)}`);
    return [...chassis, ...missing.map(({ name }) => name)];
  } finally {
    await client.end();
  }
};
