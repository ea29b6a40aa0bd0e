/**
 * For poolers that share a server's connections between transactions (PgBouncer in transaction mode): a named statement stays
 * on the connection that parsed it, and the next transaction may run on another one. Without a name PostgreSQL parses the
 * text each time, in the same round trip.
 */
import type { PoolClient } from 'pg';

/** Makes every statement of a client unnamed; for `pool.on('connect', …)`. */
export function sendUnnamed(client: PoolClient): void {
  const query = client.query.bind(client) as (config: unknown, ...more: unknown[]) => unknown;
  client.query = ((config: unknown, ...more: unknown[]) => query(withoutName(config), ...more)) as PoolClient['query'];
}

function withoutName(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || !('name' in config) || !('text' in config)) return config;
  const { name: _, ...unnamed } = config;
  return unnamed;
}
