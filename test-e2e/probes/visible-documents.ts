/** What is visible in the index that search, feed and recommendations query. */
import { indexPrefix } from '@vds/deploy-tools/installation';
import type { Site } from '../harness/site.ts';

/** The address of the index of a stack's videos. @throws if the servers have no OpenSearch */
export function videosIndex(site: Pick<Site, 'name' | 'servers'>): string {
  const { opensearch } = site.servers;
  if (opensearch === null) throw new Error('the servers have no OpenSearch');
  return `${opensearch.url}/${indexPrefix(site.name)}videos`;
}

/**
 * How many videos of a sport are visible now: the cheapest such query, so that it can be sent continuously. OpenSearch
 * caches its result until the visible documents change.
 * @param index from `videosIndex`
 * @throws if OpenSearch rejects the query
 */
export async function visibleDocuments(index: string, sport: string): Promise<number> {
  const response = await fetch(`${index}/_search?request_cache=true&filter_path=hits.total.value`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      size: 0,
      track_total_hits: true,
      query: { bool: { filter: [{ term: { sport } }, { term: { live: true } }] } },
    }),
  });
  if (!response.ok) throw new Error(`OpenSearch answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { hits: { total: { value: number } } }).hits.total.value;
}

/**
 * How often an index has shown new contents: what is visible changes at a refresh only.
 * @param index from `videosIndex`
 * @throws if OpenSearch rejects the request
 */
export async function refreshesOf(index: string): Promise<number> {
  const response = await fetch(`${index}/_stats/refresh`);
  if (!response.ok) throw new Error(`OpenSearch answered ${response.status}: ${await response.text()}`);
  const { _all: all } = (await response.json()) as { _all: { primaries: { refresh: { external_total: number } } } };
  return all.primaries.refresh.external_total;
}
