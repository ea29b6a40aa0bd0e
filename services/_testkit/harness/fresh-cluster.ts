/** A second PostgreSQL server, created for one test, into which dumps of the first one's databases are restored. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ADMIN_USER, postgresClient, startPostgres, stopPostgres } from '../servers/postgres.ts';
import { openSettings } from '../servers/settings.ts';
import type { TestDatabase } from './database.ts';

const execute = promisify(execFile);

type Source = TestDatabase['poolConfig'];
export type FreshCluster = Awaited<ReturnType<typeof startFreshCluster>>;

/** Creates and starts the server; transaction ids restart in it. */
export async function startFreshCluster() {
  const dir = await mkdtemp(join(tmpdir(), 'vds-fresh-cluster-'));
  const settings = await openSettings(dir, false);
  await startPostgres(dir, settings);
  const admin = {
    ...{ host: '127.0.0.1', port: settings.ports.postgres, user: ADMIN_USER },
    password: settings.passwords.postgres,
  };
  return {
    /** Dumps a database and restores it here under the same name, owned by this server's superuser. */
    restore: async (
      source: Source,
    ): Promise<{ readonly url: string; readonly password: string; poolConfig: Source }> => {
      const file = join(dir, `${source.database}.sql`);
      const dump = ['--no-owner', '--no-privileges', '-f', file, ...connection(source)];
      await execute(postgresClient('pg_dump'), dump, { env: { ...process.env, PGPASSWORD: source.password } });
      const poolConfig = { ...admin, database: source.database };
      await createDatabase(admin, source.database);
      const psql = ['-q', '-v', 'ON_ERROR_STOP=1', '-f', file, ...connection(poolConfig)];
      await execute(postgresClient('psql'), psql, { env: { ...process.env, PGPASSWORD: admin.password } });
      const url = `postgresql://${admin.user}@${admin.host}:${admin.port}/${source.database}`;
      return { url, password: admin.password, poolConfig };
    },
    close: async (): Promise<void> => {
      await stopPostgres(dir);
      await Promise.all([dir, settings.postgresDir].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}

function connection({ host, port, user, database }: Source): string[] {
  return ['-h', host, '-p', String(port), '-U', user, '-d', database];
}

async function createDatabase(admin: Omit<Source, 'database'>, name: string): Promise<void> {
  const client = new pg.Client({ ...admin, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}
