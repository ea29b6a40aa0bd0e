/**
 * A separate PostgreSQL server with the administrator of a managed service (rds_superuser, cloudsqlsuperuser): it may
 * create roles and databases, and is not a superuser.
 */
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { randomSecret } from '@vds/deploy-tools/installation';
import { adminConfig, type PostgresServer } from '@vds/deploy-tools/provision/databases';
import { ADMIN_USER, startPostgres, stopPostgres } from '../servers/postgres.ts';
import { openSettings } from '../servers/settings.ts';

/** The name of the administrator; it needs quotes, as names of managed services may. */
export const MANAGED_ADMIN = 'cloud-admin';

export type ManagedPostgres = Awaited<ReturnType<typeof startManagedPostgres>>;

/** @param programs the folder of the server's programs; by default those that are installed */
export async function startManagedPostgres(programs?: string) {
  const dir = await mkdtemp(join(tmpdir(), 'vds-managed-postgres-'));
  const copy = programs === undefined ? undefined : readableCopy(programs);
  const settings = await openSettings(dir, false);
  await startPostgres(dir, settings, copy && join(copy, 'bin'));
  const address = { host: '127.0.0.1', port: settings.ports.postgres };
  const superuser: PostgresServer = {
    postgres: { ...address, adminUser: ADMIN_USER, adminPassword: settings.passwords.postgres },
  };
  const admin: PostgresServer = {
    postgres: { ...address, adminUser: MANAGED_ADMIN, adminPassword: randomSecret() },
  };
  const query = (statement: string, database = 'postgres') => queryAs(superuser, statement, database);
  const role = pg.escapeIdentifier(MANAGED_ADMIN);
  await query(`create role ${role} login createrole createdb password '${admin.postgres.adminPassword}'`);
  return {
    admin,
    superuser,
    /** As the superuser. */
    query,
    close: async (): Promise<void> => {
      await stopPostgres(dir);
      const folders = [dir, settings.postgresDir, ...(copy === undefined ? [] : [copy])];
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server's user cannot look into the home folder of root. */
function readableCopy(programs: string): string {
  const copy = mkdtempSync('/var/tmp/vds-postgres-programs-');
  cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return copy;
}

/** The rows of one statement on a separate connection. */
export async function queryAs(
  server: PostgresServer,
  statement: string,
  database: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(adminConfig(server, database));
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
