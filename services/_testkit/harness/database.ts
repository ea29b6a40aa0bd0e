/**
 * Databases for tests: each caller gets a fresh one with the chassis's tables and, for a named service folder, that
 * service's tables. The migrations run once, into a template database named by their content; a test's database is a
 * copy.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readServers, type Servers } from '../servers/servers-file.ts';

export type TestDatabase = {
  /** Connection URL with the user and without the password, as services get it. */
  url: string;
  password: string;
  /** For `openTestPool(…)`. */
  poolConfig: { host: string; port: number; user: string; password: string; database: string };
  /** Closes every connection and drops the database. */
  drop: () => Promise<void>;
};

const SHARED_MIGRATIONS = fileURLToPath(new URL('../../../services/_chassis/migrations/', import.meta.url));

/** The ledgers as migrations leave them: services check both at startup. */
const LEDGERS = `
  create schema if not exists chassis;
  create table chassis.migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now());
  create table _prisma_migrations (id text primary key default gen_random_uuid(), checksum text not null,
    migration_name text not null, started_at timestamptz not null default now(), finished_at timestamptz,
    rolled_back_at timestamptz, logs text, applied_steps_count int not null default 0);`;

let cleaned = false;

/**
 * A fresh database with `_chassis/migrations/*.sql` and `<serviceDir>/prisma/migrations/<n>/migration.sql` applied.
 * @param serviceDir folder of the service (path or file URL); without it, only the chassis's tables
 */
export async function testDatabase(serviceDir?: string | URL): Promise<TestDatabase> {
  const servers = readServers();
  const folder =
    serviceDir === undefined ? undefined : resolve(serviceDir instanceof URL ? fileURLToPath(serviceDir) : serviceDir);
  const owner = (folder === undefined ? 'shared' : basename(folder)).toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const files = migrationFiles(folder);
  const hash = createHash('sha256').update(LEDGERS);
  files.forEach((file) => hash.update(readFileSync(file)).update('\0'));
  const template = `template_${owner}_${hash.digest('hex').slice(0, 16)}`;
  const name = `test_${owner}_${process.pid}_${randomBytes(4).toString('hex')}`;
  await withClient(servers, 'postgres', async (admin) => {
    await admin.query(`select pg_advisory_lock(hashtext($1))`, [`test databases of ${owner}`]); // freed on disconnect
    await dropLeftovers(admin);
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) await makeTemplate(servers, admin, owner, template, files);
    await admin.query(`create database ${name} template ${template} strategy file_copy`);
  });
  const poolConfig = configOf(servers, name);
  return {
    url: `postgresql://${poolConfig.user}@${poolConfig.host}:${poolConfig.port}/${name}`,
    password: poolConfig.password,
    poolConfig,
    drop: async () =>
      await withClient(servers, 'postgres', async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

/**
 * A pool for a test. `pg.Pool.end()` resolves before its sockets are closed: a database dropped at once still ends
 * these connections, and what they then report is not an error of the test.
 */
export function openTestPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', (error) => {
    if (!pool.ending) throw error;
  });
  return pool;
}

/** The SQL files of the chassis, then those of the service, each in name order. */
export function migrationFiles(serviceDir?: string): string[] {
  const own = serviceDir === undefined ? null : join(serviceDir, 'prisma', 'migrations');
  const shared = existsSync(SHARED_MIGRATIONS)
    ? readdirSync(SHARED_MIGRATIONS).filter((name) => name.endsWith('.sql'))
    : [];
  const folders = own !== null && existsSync(own) ? readdirSync(own, { withFileTypes: true }) : [];
  return [
    ...shared.sort().map((name) => join(SHARED_MIGRATIONS, name)),
    ...folders
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(own ?? '', entry.name, 'migration.sql'))
      .sort(),
  ];
}

async function withClient<T>(servers: Servers, database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(configOf(servers, database));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Drops databases of dead test processes; once per process. */
async function dropLeftovers(admin: pg.Client): Promise<void> {
  if (cleaned) return;
  cleaned = true;
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database where datname ~ '^test_[a-z0-9]+_[0-9]+_[0-9a-f]+$'`,
  );
  for (const { datname } of rows) {
    if (!lives(Number(datname.split('_')[2]))) await admin.query(`drop database if exists ${datname} with (force)`);
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Creates the template under a temporary name, renames it when it is complete, and replaces older ones of this service.
 */
async function makeTemplate(
  servers: Servers,
  admin: pg.Client,
  owner: string,
  template: string,
  files: string[],
): Promise<void> {
  const part = `template_${owner}_part`;
  const old = await admin.query<{ datname: string }>(`select datname from pg_database where datname ~ $1`, [
    `^template_${owner}_`,
  ]);
  for (const { datname } of old.rows) await admin.query(`drop database if exists ${datname} with (force)`);
  await admin.query(`create database ${part}`);
  await withClient(servers, part, async (client) => {
    await client.query(LEDGERS);
    for (const file of files) {
      try {
        const sql = readFileSync(file, 'utf8');
        await client.query(sql);
        await enter(client, file, sql);
      } catch (cause) {
        throw new Error(`migration ${file} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
          cause,
        });
      }
    }
  });
  await admin.query(`alter database ${part} rename to ${template}`);
}

async function enter(client: pg.Client, file: string, sql: string): Promise<void> {
  const digest = createHash('sha256').update(sql).digest('hex');
  if (basename(file) === 'migration.sql') {
    const insert = 'insert into _prisma_migrations (migration_name, checksum, finished_at) values ($1, $2, now())';
    await client.query(insert, [basename(dirname(file)), digest]);
  } else await client.query('insert into chassis.migrations (name, sha256) values ($1, $2)', [basename(file), digest]);
}

function configOf({ postgres }: Servers, database: string) {
  return {
    host: postgres.host,
    port: postgres.port,
    user: postgres.adminUser,
    password: postgres.adminPassword,
    database,
  };
}
