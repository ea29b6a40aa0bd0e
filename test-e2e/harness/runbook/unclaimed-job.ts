/** A unit of work that every worker passes by. */
import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@vds/deploy-tools/services';
import type { Site } from '../site.ts';

/**
 * Puts a unit into a queue whose row somebody holds: claims skip locked rows, and gauges count them.
 * @returns takes the unit away
 */
export async function holdJob(site: Site, service: ServiceName, queue: string): Promise<() => Promise<void>> {
  const client = await site.adminPool(service).connect();
  const unit = randomUUID();
  await client.query(
    `INSERT INTO chassis.work (queue, group_key, attempt, unit, run_after)
     VALUES ($1, $2, 1, $2, now() + interval '2 seconds')`,
    [queue, unit],
  );
  await client.query('BEGIN');
  await client.query('SELECT id FROM chassis.work WHERE unit = $1 FOR UPDATE', [unit]);
  return async () => {
    await client.query('DELETE FROM chassis.work WHERE unit = $1', [unit]);
    await client.query('COMMIT');
    client.release();
  };
}
