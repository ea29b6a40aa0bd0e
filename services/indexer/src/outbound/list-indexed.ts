/** Which videos the served index has, in which version; for reconciling. */
import type { OpenSearch } from './open-search.ts';

/** `videoIds`, if any, select videos regardless of `after` and `limit`. */
export type IndexedQuery = { readonly after: string; readonly limit: number; readonly videoIds: readonly string[] };
export type IndexedVersion = { readonly videoId: string; readonly live: boolean; readonly version: number };
export type ListIndexed = (query: IndexedQuery) => Promise<readonly IndexedVersion[]>;

type Hit = { readonly _id: string; readonly _version: number; readonly _source: { readonly live?: boolean } };

/** By rising id, tombstones too. */
export function openIndexedList(search: OpenSearch, index: string): ListIndexed {
  return async ({ after, limit, videoIds }) => {
    const selected = videoIds.length > 0;
    const body = {
      size: selected ? videoIds.length : limit,
      version: true,
      _source: ['live'],
      sort: [{ video_id: 'asc' }],
      query: selected ? { terms: { video_id: videoIds } } : { exists: { field: 'video_id' } },
      ...(!selected && after !== '' && { search_after: [after] }),
    };
    const { hits } = await search.request<{ hits: { hits: Hit[] } }>({
      method: 'POST',
      path: `/${index}/_search`,
      body,
    });
    return hits.hits.map(({ _id, _version, _source }) => ({
      videoId: _id,
      live: _source.live === true,
      version: _version,
    }));
  };
}
