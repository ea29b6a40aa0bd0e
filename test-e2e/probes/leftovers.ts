/**
 * Everything that the stack still stores of a video: objects, rows and documents, read with the stores' root accounts.
 */
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { openObjects } from '@vds/chassis/objects/objects';
import { bare } from '../harness/apps-client.ts';
import type { Site } from '../harness/site.ts';

/** The stores of the services under test. */
export type Stores = Pick<Site, 'servers' | 'buckets' | 'adminPool'>;

/** Keys of objects and unfinished uploads of a video, in every bucket. */
export async function leftoversOf(site: Stores, id: string): Promise<string[]> {
  const { endpoint, region, rootAccessKey, rootSecretKey } = site.servers.s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  const found = await Promise.all(
    Object.values(site.buckets).map((bucket) => openObjects(config, bucket).leftovers(`videos/${bare(id)}/`)),
  );
  return found.flat();
}

/** `service table count` for every table of any service that contains the video's id, except tombstones. */
export async function rowsOf(site: Stores, id: string): Promise<string[]> {
  const found: string[] = [];
  for (const service of serviceNames.filter((name) => rowOf(name).database)) {
    const pool = site.adminPool(service);
    const { rows } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_schema IN ('public', 'chassis') AND table_type = 'BASE TABLE' ORDER BY 1`,
    );
    for (const { name } of rows.filter((row) => !isAllowed(service, row.name))) {
      const like = `%${bare(id)}%`;
      const counted = await pool.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM ${name} AS t WHERE t::text LIKE $1`,
        [like],
      );
      const n = counted.rows[0]?.n ?? 0;
      if (n > 0) found.push(`${service} ${name} ${n}`);
    }
  }
  return found;
}

/**
 * What may remain after a deletion. catalog: the tombstone itself with its ledger, history and requests; elsewhere the
 * chassis's tombstone, and the final sweep, which checks for emptiness again after the longest lease.
 */
function isAllowed(service: string, table: string): boolean {
  return (
    table === 'chassis.tombstones' ||
    (table === 'chassis.jobs' && service !== 'catalog') ||
    (service === 'catalog' && ['public.videos', 'public.purges', 'public.audit', 'public.stages'].includes(table))
  );
}

/** Index names with a document of the video that contains more than its deletion. */
export async function documentsOf(site: Stores, id: string): Promise<string[]> {
  const { opensearch } = site.servers;
  if (opensearch === null) throw new Error('the servers have no OpenSearch');
  const response = await fetch(`${opensearch.url}/_all/_search?ignore_unavailable=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { ids: { values: [bare(id)] } }, size: 10 }),
  });
  const { hits } = (await response.json()) as { hits: { hits: { _index: string; _source: object }[] } };
  return hits.hits
    .filter(({ _source }) => Object.keys(_source).some((field) => !['video_id', 'live', 'changed_at'].includes(field)))
    .map(({ _index, _source }) => `${_index}: ${Object.keys(_source).join(', ')}`);
}
