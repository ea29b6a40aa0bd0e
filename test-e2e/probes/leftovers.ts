/**
 * Everything that the stack still stores of a video: objects, rows and documents, read with the stores' root accounts.
 */
import { rowOf, serviceNames } from '@vds/deploy-tools/services';
import { openObjects } from '@vds/chassis/objects/objects';
import { bare } from '../harness/apps-client.ts';
import type { Site } from '../harness/site.ts';

/** Of an object of a test. */
const MAX_READ = 2 ** 28;

/** The stores of the services under test. */
export type Stores = Pick<Site, 'servers' | 'buckets' | 'adminPool'>;

/** Keys of objects and unfinished uploads of a video, in every bucket. */
export async function leftoversOf(site: Stores, id: string): Promise<string[]> {
  return [...(await keysOf(site, id)).values()].flat();
}

/** The same by bucket; of all videos without an id. */
export async function keysOf(site: Stores, id?: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const prefix = id === undefined ? '' : `videos/${bare(id)}/`;
  return new Map(
    await Promise.all(
      Object.values(site.buckets).map(
        async (bucket) => [bucket, await asRoot(site, bucket).leftovers(prefix)] as const,
      ),
    ),
  );
}

/** The objects of every bucket but one, by their keys, as text. */
export async function objectsOf(site: Stores, except: string): Promise<Readonly<Record<string, string>>> {
  const places: Record<string, string> = {};
  for (const [bucket, keys] of await keysOf(site))
    for (const key of bucket === except ? [] : keys)
      places[`${bucket}/${key}`] = (await asRoot(site, bucket).getBytes(key, MAX_READ)).toString('latin1');
  return places;
}

function asRoot({ servers: { s3 } }: Stores, bucket: string) {
  const { endpoint, region, rootAccessKey, rootSecretKey } = s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  return openObjects(config, bucket);
}

/** Folders of further tries of the same job: only the objects of one try are in use. */
export function repeatedTries(keys: ReadonlyMap<string, readonly string[]>): string[] {
  const folders = [...keys].flatMap(([bucket, own]) =>
    own.map((key) => `${bucket}/${key.split('/').slice(0, 4).join('/')}`),
  );
  const jobs = Map.groupBy(new Set(folders), (folder) => folder.replace(/\.\d+-[0-9a-f]+$/, ''));
  return [...jobs.values()].filter((tries) => tries.length > 1).flat();
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
        `SELECT count(*)::int AS n FROM ${name} AS t WHERE t::text LIKE $1 AND ${needless[name] ?? 'true'}`,
        [like],
      );
      const n = counted.rows[0]?.n ?? 0;
      if (n > 0) found.push(`${service} ${name} ${n}`);
    }
  }
  return found;
}

/** Which rows must not remain: purges do, and for a day the ids in published messages. */
const needless: Readonly<Record<string, string>> = {
  'chassis.jobs': `t.stage <> 'purge'`,
  'chassis.outbox': 't.published_at IS NULL',
};

/**
 * Tables that may remain after a deletion. catalog: the tombstone itself with its ledger, history
 * and requests; elsewhere the chassis's tombstone.
 */
function isAllowed(service: string, table: string): boolean {
  return (
    table === 'chassis.tombstones' ||
    (service === 'catalog' && ['public.videos', 'public.purges', 'public.audit', 'public.stages'].includes(table))
  );
}

/** A document of a video that contains more than its deletion. */
type FoundDocument = { readonly index: string; readonly version: number; readonly fields: readonly string[] };

/** Documents of a video in any index. */
export async function documentsOf(site: Stores, id: string): Promise<FoundDocument[]> {
  const { opensearch } = site.servers;
  if (opensearch === null) throw new Error('the servers have no OpenSearch');
  const response = await fetch(`${opensearch.url}/_all/_search?ignore_unavailable=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: { ids: { values: [bare(id)] } }, size: 10, version: true }),
  });
  const { hits } = (await response.json()) as {
    hits: { hits: { _index: string; _version: number; _source: object }[] };
  };
  return hits.hits
    .map(({ _index, _version, _source }) => ({ index: _index, version: _version, fields: Object.keys(_source) }))
    .filter(({ fields }) => fields.some((field) => !['video_id', 'live', 'changed_at'].includes(field)));
}
