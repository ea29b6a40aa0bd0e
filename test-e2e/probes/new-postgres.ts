/** Dumps of all databases of a stack, restored into a new PostgreSQL server as deploy/guide/restore.md says. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { databaseName, ownerRole, purposes } from '@vds/deploy-tools/installation';
import { loginOf, provisionDatabase } from '@vds/deploy-tools/provision/databases';
import { rowOf, serviceNames, type ServiceName } from '@vds/deploy-tools/services';
import { postgresClient } from '@vds/testkit/servers/postgres';
import type { Servers } from '@vds/testkit/servers/servers-file';
import { up } from '@vds/testkit/servers/up';
import { openState } from '@vds/testkit/stack/state';
import type { Stack } from '@vds/testkit/stack/start-stack';

const execute = promisify(execFile);
const stores = serviceNames.filter((service) => rowOf(service).database);

export async function dumpDatabases({ dir, name, servers }: Pick<Stack, 'dir' | 'name' | 'servers'>) {
  const folder = await mkdtemp(join(tmpdir(), 'vds-dumps-'));
  const file = (service: ServiceName): string => join(folder, `${service}.sql`);
  const { adminUser, adminPassword } = servers.postgres;
  for (const service of stores) {
    const options = ['--no-owner', '--no-privileges', '-f', file(service), '-U', adminUser];
    await run('pg_dump', [...options, ...database(servers, name, service)], adminPassword);
  }
  return {
    /**
     * @param serversDir where the new server is started
     * @returns the variables of each service for it
     */
    restoreInto: async (serversDir: string): Promise<(service: ServiceName) => Record<string, string>> => {
      const installation = openState(dir, name);
      const { postgres } = await up(serversDir, { which: ['postgres'] });
      const there = { ...servers, postgres };
      for (const service of stores) {
        await provisionDatabase(there, installation, service);
        const options = ['-q', '-v', 'ON_ERROR_STOP=1', '-f', file(service), '-U', ownerRole(name, service)];
        await run(
          'psql',
          [...options, ...database(there, name, service)],
          installation.secret(purposes.owner(service)),
        );
      }
      await rm(folder, { recursive: true });
      return (service) =>
        stores.includes(service) ? { DATABASE_URL: loginOf(there, installation, service, 'runtime').url } : {};
    },
  };
}

function database({ postgres }: Pick<Servers, 'postgres'>, name: string, service: ServiceName): string[] {
  return ['-h', postgres.host, '-p', String(postgres.port), '-d', databaseName(name, service)];
}

function run(program: 'pg_dump' | 'psql', args: readonly string[], password: string) {
  return execute(postgresClient(program), args, { env: { ...process.env, PGPASSWORD: password } });
}
