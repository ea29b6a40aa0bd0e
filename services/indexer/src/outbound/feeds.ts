/** Feeds: what is live, newest first, by sport, category, publisher or all together. */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { barred, nextStep, passed, taken, takenEarly, type Entry, type Place } from '../domain/feed-order.ts';
import { filterClauses, type Filters } from '../domain/filters.ts';
import type { Cursors } from './cursors.ts';
import type { OpenSearch } from './open-search.ts';

export type FeedPage = { readonly items: readonly Item[]; readonly nextCursor: string };
export type Feed = { readonly filters: Filters; readonly limit: number; readonly cursor: string };
type Hit = { readonly _id: string; readonly sort: readonly unknown[]; readonly _source: { readonly item: Item } };
type Shown = Entry & { readonly item: Item };
type Kept = { readonly at: number; readonly place: Place };
type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly cursors: Cursors;
  /** After that time a video counts half. */
  readonly halfLifeMs: number;
};

/** A video that says its sport is placed as if it were a little newer. */
const sportWeight = 1.1;
const order = [{ _score: 'desc' }, { published_at: 'desc' }, { video_id: 'asc' }];
const begin: Place = { after: undefined, tail: [], early: [] };
type Reader = ReturnType<typeof openReader>;

export function openFeeds(given: Deps) {
  return async ({ filters, limit, cursor }: Feed): Promise<FeedPage> => {
    const question = ['feed', filters];
    const kept = cursor === '' ? { at: Date.now(), place: begin } : given.cursors.read<Kept>(question, cursor);
    const read = openReader(given, filters, new Date(kept.at));
    const { items, place } = await readPage(read, kept.place, limit);
    return { items, nextCursor: place ? given.cursors.write(question, { at: kept.at, place }) : '' };
  };
}

/** One reader's look into the index as of `at`: what was published later comes when the reader begins anew. */
function openReader({ search, alias, halfLifeMs }: Deps, filters: Filters, at: Date) {
  const decay = { published_at: { origin: at.toISOString(), scale: `${halfLifeMs}ms`, decay: 0.5 } };
  const functions = [{ exp: decay }, { weight: sportWeight, filter: { exists: { field: 'sport' } } }];
  return async (
    after: Place['after'],
    size: number,
    without?: string,
    early: readonly string[] = [],
  ): Promise<Shown[]> => {
    const filter = [...filterClauses(filters), { range: { published_at: { lte: at.toISOString() } } }];
    const must_not = [
      ...(without === undefined ? [] : [{ term: { publisher_id: without } }]),
      ...(early.length === 0 ? [] : [{ ids: { values: early } }]),
    ];
    const scored = { query: { bool: { filter, must_not } }, functions, score_mode: 'multiply', boost_mode: 'replace' };
    const body = {
      size,
      query: { function_score: scored },
      sort: order,
      track_total_hits: false,
      _source: ['item'],
      ...(after && { search_after: after }),
    };
    const { hits } = await search.ask<{ hits: { hits: Hit[] } }>({ method: 'POST', path: `/${alias}/_search`, body });
    return hits.hits.map(({ _id, sort, _source: { item } }) => ({
      id: _id,
      publisherId: item.publisherId ?? '',
      sort,
      item,
    }));
  };
}

/** One page, and the place after it; undefined when nothing is left. */
async function readPage(
  read: Reader,
  from: Place,
  limit: number,
): Promise<{ items: Item[]; place: Place | undefined }> {
  const items: Item[] = [];
  const others = openOthers(read, limit);
  let place = from;
  let ahead: Shown[] = [];
  for (;;) {
    if (ahead.length === 0) ahead = await read(place.after, limit + 1);
    const next = ahead[0];
    if (next === undefined) return { items, place: undefined };
    const step = nextStep(place, next);
    if (step !== 'pass' && items.length === limit) return { items, place };
    const other = step === 'early' ? await others.next(place) : undefined;
    if (other) {
      place = takenEarly(place, other);
      items.push(other.item);
      continue;
    }
    place = step === 'pass' ? passed(place, next) : taken(place, next);
    if (step !== 'pass') items.push(next.item);
    others.drop(next.id);
    ahead.shift();
  }
}

/** The newest of other publishers than one, read once a page; whoever has none left is not asked again. */
function openOthers(read: Reader, size: number) {
  let without: string | undefined;
  let entries: Shown[] = [];
  const alone = new Set<string>();
  return {
    next: async (place: Place): Promise<Shown | undefined> => {
      const one = barred(place) ?? '';
      if (alone.has(one)) return undefined;
      if (without !== one || entries.length === 0) entries = await read(place.after, size, one, place.early);
      without = one;
      if (entries.length === 0) alone.add(one);
      return entries.shift();
    },
    /** What was shown in its turn is no longer to come. */
    drop: (id: string): void => void (entries = entries.filter((entry) => entry.id !== id)),
  };
}
