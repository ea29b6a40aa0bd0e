/** The live videos that are watched most now, among those of a feed. */
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { feedClauses, type Filters } from '../domain/filters.ts';
import { searchHits, type OpenSearch } from './open-search.ts';
import type { Watched } from './watched.ts';

type Deps = { readonly search: OpenSearch; readonly alias: string; readonly watched: Pick<Watched, 'interests'> };
type Hit = { readonly _id: string; readonly _source: { readonly item: ItemOut } };
export type Interesting = { readonly item: ItemOut; readonly interest: number };

/** Read at a time, and how often at most: a feed with rare filters looks at no more videos than their product. */
const [BATCH, BATCHES] = [500, 10];

export function openInterest({ search, alias, watched }: Deps) {
  /** By falling interest, at most `limit`, until `at`. */
  const find = async (filters: Filters, limit: number, at: number): Promise<Interesting[]> => {
    const found: Interesting[] = [];
    for (let batch = 0; batch < BATCHES && found.length < limit; batch += 1) {
      const interests = await watched.interests(at, batch * BATCH, BATCH);
      if (interests.size === 0) break;
      const filter = [...feedClauses(filters), { ids: { values: [...interests.keys()] } }];
      const body = { size: BATCH, query: { bool: { filter } }, track_total_hits: false, _source: ['item'] };
      const items = new Map(
        (await searchHits<Hit>(search, alias, body)).map(({ _id, _source }) => [_id, _source.item]),
      );
      for (const [id, interest] of interests) {
        const item = items.get(id);
        if (item) found.push({ item, interest });
      }
      if (interests.size < BATCH) break;
    }
    return found.slice(0, limit);
  };
  return {
    find,
    /** Interest by video, of the `limit` with most. */
    top: async (filters: Filters, limit: number): Promise<ReadonlyMap<string, number>> => {
      const found = await find(filters, limit, Date.now());
      return new Map(found.map(({ item, interest }) => [item.videoId, interest]));
    },
  };
}
