/** Backups of a stack's databases, taken and restored as an operator does: pg_dump and psql. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseName } from '@vds/deploy-tools/installation';
import type { ServiceName } from '@vds/deploy-tools/services';
import { postgresClient } from '@vds/testkit/servers/postgres';
import type { Site } from '../harness/site.ts';

const execute = promisify(execFile);

export type Snapshot = {
  /** Puts the databases back to the moment of the snapshot; their services must not run. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Dumps the databases of services, with their owners and privileges. */
export async function snapshotDatabases(
  { name, servers }: Pick<Site, 'name' | 'servers'>,
  services: readonly ServiceName[],
): Promise<Snapshot> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-snapshot-'));
  const { host, port, adminUser, adminPassword } = servers.postgres;
  const run = (program: 'pg_dump' | 'psql', service: ServiceName, ...more: readonly string[]) => {
    const file = join(folder, `${service}.sql`);
    const connection = ['-h', host, '-p', String(port), '-U', adminUser, '-d', databaseName(name, service)];
    return execute(postgresClient(program), [...more, '-f', file, ...connection], {
      env: { ...process.env, PGPASSWORD: adminPassword },
    });
  };
  await Promise.all(services.map((service) => run('pg_dump', service, '--clean', '--if-exists')));
  return {
    restore: async () =>
      void (await Promise.all(services.map((service) => run('psql', service, '-q', '-v', 'ON_ERROR_STOP=1')))),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
