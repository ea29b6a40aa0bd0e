/** Superuser connections to the databases of a stack. */
import pg from 'pg';
import type { Servers } from '../servers/servers-file.ts';
import { adminConfig } from '@vds/deploy-tools/provision/databases';
import { databaseName } from '@vds/deploy-tools/installation';
import { rowOf, type ServiceName } from '@vds/deploy-tools/services';

/** Superuser pools, opened on first use. */
export function adminPools(servers: Pick<Servers, 'postgres'>, stack: string) {
  const pools = new Map<ServiceName, pg.Pool>();
  return {
    of: (service: ServiceName): pg.Pool => {
      if (!rowOf(service).database) throw new Error(`${service} has no database`);
      const pool = pools.get(service) ?? new pg.Pool(adminConfig(servers, databaseName(stack, service)));
      if (!pools.has(service)) pool.on('error', () => undefined); // an idle connection broke; the next query reopens it
      pools.set(service, pool);
      return pool;
    },
    end: async (): Promise<void> => {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map(async (pool) => await pool.end()));
    },
  };
}
