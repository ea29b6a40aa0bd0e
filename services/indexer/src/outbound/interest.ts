/** The live videos that are watched most now, among those of a feed, and where the feed of the newest has them. */
import type { ItemOut } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { feedClauses, type Filters } from '../domain/filters.ts';
import { feedBoost } from '../domain/interest.ts';
import { searchHits, type OpenSearch } from './open-search.ts';
import type { Watched } from './watched.ts';

type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly watched: Pick<Watched, 'interests'>;
  /** Of a feed. */
  readonly halfLifeMs: number;
};
type Source = { readonly item: ItemOut; readonly feed_at: number };
type Hit = { readonly _id: string; readonly _source: Source };
export type Interesting = Source & { readonly interest: number };
/** A video that the feed of the newest places as if it were published so much later. */
export type Raised = readonly [videoId: string, laterMs: number];
export type Interest = ReturnType<typeof openInterest>;

/** Read at a time, and how often at most: a feed with rare filters looks at no more videos than their product. */
const [BATCH, BATCHES] = [500, 10];
/** So many go into a cursor. */
const RAISED_COUNT = 50;

export function openInterest(deps: Deps) {
  return {
    /** By falling interest, at most `limit`, until `at`. */
    find: (filters: Filters, limit: number, at: number): Promise<Interesting[]> => find(deps, filters, limit, at),
    /** Those that interest raises in the feed of the newest, live or not. */
    raise: async (at: number): Promise<Raised[]> => {
      const interests = await deps.watched.interests(at, 0, RAISED_COUNT);
      const laterMs = (interest: number): number => Math.round(deps.halfLifeMs * Math.log2(feedBoost(interest)));
      return [...interests].map(([videoId, interest]) => [videoId, laterMs(interest)]);
    },
    /** Those of them that are live, in their order in a feed of `at`, which has nothing that is newer. */
    readRaised: async (raised: readonly Raised[], at: number) => {
      const ids = raised.map(([videoId]) => videoId);
      const live = await readLive(deps, {}, ids);
      const entries = raised.flatMap(([id, laterMs]) => {
        const { item, feed_at } = live.get(id) ?? {};
        const publishedAt = Date.parse(item?.publishedAt ?? '');
        // An index of an earlier mapping has no place for it.
        if (!item || feed_at === undefined || publishedAt > at) return [];
        const place = Math.max(feed_at, Math.min(at, feed_at + laterMs));
        return [{ id, publisherId: item.publisherId, sort: [place, publishedAt, id] as const, item }];
      });
      return entries.toSorted((a, b) => comparePlaces(a.sort, b.sort));
    },
  };
}

/** Later ones first, as the feed of the newest is sorted: by its place, the time of publication, and the id. */
export function comparePlaces(a: readonly unknown[], b: readonly unknown[]): number {
  const later = Number(b[0]) - Number(a[0]) || Number(b[1]) - Number(a[1]);
  return later || (String(a[2]) < String(b[2]) ? -1 : 1);
}

async function find(deps: Deps, filters: Filters, limit: number, at: number): Promise<Interesting[]> {
  const found: Interesting[] = [];
  for (let batch = 0; batch < BATCHES && found.length < limit; batch += 1) {
    const interests = await deps.watched.interests(at, batch * BATCH, BATCH);
    if (interests.size === 0) break;
    const live = await readLive(deps, filters, [...interests.keys()]);
    for (const [id, interest] of interests) {
      const source = live.get(id);
      if (source) found.push({ ...source, interest });
    }
    if (interests.size < BATCH) break;
  }
  return found.slice(0, limit);
}

async function readLive(
  { search, alias }: Deps,
  filters: Filters,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Source>> {
  const filter = [...feedClauses(filters), { ids: { values: ids } }];
  const body = { size: ids.length, query: { bool: { filter } }, track_total_hits: false, _source: ['item', 'feed_at'] };
  const hits = await searchHits<Hit>(search, alias, body);
  return new Map(hits.map(({ _id, _source }) => [_id, _source]));
}
