/** A catalogue of any size: copies of one finished video in every store, made without any service. */
import { openObjects } from '@vds/chassis/objects/objects';
import { indexPrefix } from '@vds/deploy-tools/installation';
import type { ServiceName } from '@vds/deploy-tools/services';
import { bare } from '../harness/apps-client.ts';
import type { Stores } from './leftovers.ts';

type Document = { readonly _version: number; readonly _source: object };

/** What a comparison without all objects reads, with a copy's own values. */
const tables: readonly (readonly [service: ServiceName, table: string, own: string])[] = [
  ['ingest', 'chassis.stages', `'{}'`],
  ['transcode', 'chassis.stages', `'{}'`],
  ['captions', 'chassis.stages', `'{}'`],
  ['captions', 'caption_jobs', `'{}'`],
  ['metadata', 'chassis.stages', `'{}'`],
];
const catalogTables: typeof tables = [
  ['catalog', 'videos', `jsonb_build_object('playback_id', 'p' || copy, 'version_seq', nextval('video_version_seq'))`],
  ['catalog', 'stages', `'{}'`],
];
const AT_A_TIME = 32;

/** @returns ids of the copies; of its objects only the ladder is copied */
export async function copyVideo(
  site: Stores & { readonly name: string },
  id: string,
  copies: number,
): Promise<string[]> {
  const ids = Array.from({ length: copies }, (_, index) => `7${String(index).padStart(25, '0')}`);
  const copyAll = async (all: typeof tables): Promise<void> => {
    for (const [service, table, own] of all)
      await copyRows(site.adminPool(service), { table, own, from: bare(id), ids });
  };
  await copyAll(tables);
  await copyLadder(site, bare(id), ids);
  await copyDocument(site, bare(id), ids);
  // Last: the indexer then finds documents of the same version, which it leaves as they are.
  await copyAll(catalogTables);
  return ids;
}

async function copyRows(
  pool: ReturnType<Stores['adminPool']>,
  { table, own, from, ids }: { table: string; own: string; from: string; ids: readonly string[] },
): Promise<void> {
  await pool.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table},
       replace(to_jsonb(t)::text, $1, copy)::jsonb || ${own}::jsonb)).*
     FROM ${table} AS t, unnest($2::text[]) AS copy WHERE to_jsonb(t)::text LIKE '%' || $1 || '%'`,
    [from, ids],
  );
}

async function copyLadder({ servers, buckets }: Stores, from: string, ids: readonly string[]): Promise<void> {
  const { endpoint, region, rootAccessKey, rootSecretKey } = servers.s3;
  const config = { s3Endpoint: endpoint, s3Region: region, s3AccessKey: rootAccessKey, s3SecretKey: rootSecretKey };
  const media = openObjects(config, buckets.media);
  const keys = (await media.list(`videos/${from}/`)).filter((key) => key.endsWith('ladder.json'));
  const queue = ids.flatMap((id) => keys.map((key) => key.replace(from, id)));
  const put = async (): Promise<void> => {
    for (let key = queue.pop(); key !== undefined; key = queue.pop())
      await media.putBytes(key, '{}', { contentType: 'application/json' });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, put));
}

async function copyDocument(
  { servers, name }: Stores & { readonly name: string },
  from: string,
  ids: readonly string[],
): Promise<void> {
  const index = `${servers.opensearch?.url ?? ''}/${indexPrefix(name)}videos`;
  const found = (await (await fetch(`${index}/_doc/${from}`)).json()) as Document;
  const lines = ids.flatMap((id) => [
    JSON.stringify({ index: { _id: id, version: found._version, version_type: 'external' } }),
    JSON.stringify(found._source).replaceAll(from, id),
  ]);
  const headers = { 'content-type': 'application/x-ndjson' };
  const response = await fetch(`${index}/_bulk?refresh=true`, {
    method: 'POST',
    headers,
    body: `${lines.join('\n')}\n`,
  });
  const { items } = (await response.json()) as { items: { index: { status: number; error?: unknown } }[] };
  const failed = items.find(({ index: { status } }) => status >= 300);
  if (failed) throw new Error(`documents were not copied: ${JSON.stringify(failed.index.error)}`);
}
