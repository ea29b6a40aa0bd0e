/** Superusers' connections to the databases of a house. */
import pg from 'pg';
import type { Servers } from '@vds/chassis/testing/servers-file';
import { adminConfig } from './databases.ts';
import { databaseName } from './names.ts';
import { rowOf, type ServiceName } from './services.ts';

/** Superusers' pools, made at first use. */
export function adminPools(servers: Pick<Servers, 'postgres'>, house: string) {
  const pools = new Map<ServiceName, pg.Pool>();
  return {
    of: (service: ServiceName): pg.Pool => {
      if (!rowOf(service).database) throw new Error(`${service} has no database`);
      const pool = pools.get(service) ?? new pg.Pool(adminConfig(servers, databaseName(house, service)));
      if (!pools.has(service)) pool.on('error', () => undefined); // an idle connection broke; the next query makes a new one
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
