/** A job that no worker can claim. */
import { randomUUID } from 'node:crypto';
import type { ServiceName } from '@vds/deploy-tools/services';
import type { Site } from '../site.ts';

/**
 * Adds a job to a queue and locks its row: claims skip locked rows, and gauges count them.
 * @returns removes the job
 */
export async function holdJob(site: Site, service: ServiceName, queue: string): Promise<() => Promise<void>> {
  const client = await site.adminPool(service).connect();
  const name = randomUUID();
  await client.query(
    `INSERT INTO chassis.jobs (stage, queue, video_id, attempt, name, run_after)
     VALUES ('held', $1, $2, 1, $2, now() + interval '2 seconds')`,
    [queue, name],
  );
  await client.query('BEGIN');
  await client.query('SELECT id FROM chassis.jobs WHERE name = $1 FOR UPDATE', [name]);
  return async () => {
    await client.query('DELETE FROM chassis.jobs WHERE name = $1', [name]);
    await client.query('COMMIT');
    client.release();
  };
}
