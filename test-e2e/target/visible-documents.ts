/** What can be seen in the index that search, feed and recommendations ask. */
import { indexPrefix } from '@vds/scripts/house/names';
import { bare } from './apps.ts';
import type { Site } from './site.ts';

/** The address of the index of a house's videos. @throws where the servers have no OpenSearch */
export const videosIndex = (site: Pick<Site, 'name' | 'servers'>): string => {
  const { opensearch } = site.servers;
  if (opensearch === null) throw new Error('the servers have no OpenSearch');
  return `${opensearch.url}/${indexPrefix(site.name)}videos`;
};

/**
 * How many of the videos can be seen now: the cheapest question that there is about it, so that it can be asked all the
 * time.
 * @param index from `videosIndex`
 * @throws when OpenSearch refuses the question
 */
export const visibleDocuments = async (index: string, ids: readonly string[]): Promise<number> => {
  const response = await fetch(`${index}/_count`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: { bool: { filter: [{ terms: { _id: ids.map(bare) } }, { term: { live: true } }] } },
    }),
  });
  if (!response.ok) throw new Error(`OpenSearch answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { count: number }).count;
};
