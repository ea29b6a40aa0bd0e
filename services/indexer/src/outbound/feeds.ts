/**
 * Feeds: live videos, newest first, by sport, category, publisher or all together, where interest raises some; and of
 * their moments.
 */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Moment } from '@vds/proto/generated/vds/indexer/v1/Moment.ts';
import {
  blockedPublisher,
  nextStep,
  shown,
  shownEarly,
  skipped,
  type Entry,
  type Position,
} from '../domain/feed-order.ts';
import { feedClauses, type Filters } from '../domain/filters.ts';
import { shownMoments, videosOfPage, type IndexedMoment } from '../domain/moments.ts';
import type { Cursors } from './cursors.ts';
import { comparePlaces, type Interest, type Raised } from './interest.ts';
import { searchHits, type OpenSearch } from './open-search.ts';

export type FeedPage = { readonly items: readonly Item[]; readonly nextCursor: string };
export type Feed = { readonly filters: Filters; readonly limit: number; readonly cursor: string };
type MomentsPage = { readonly moments: readonly Moment[]; readonly nextCursor: string };
type Source = { readonly item: Item; readonly moments?: readonly IndexedMoment[] };
type Hit = { readonly _id: string; readonly sort: readonly unknown[]; readonly _source: Source };
type FeedEntry = Entry & Source;
/** The field that a feed is sorted by. */
type Order = 'feed_at' | 'sport_feed_at' | 'moments_at';
/** What interest has raised at `at` keeps its place over all pages. */
type CursorState = { readonly at: number; readonly position: Position; readonly raised: readonly Raised[] };
type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly cursors: Cursors;
  readonly interest: Pick<Interest, 'raise' | 'readRaised'>;
};

const begin: Position = { after: undefined, tail: [], early: [] };
type Reader = ReturnType<typeof openReader>;

export function openFeeds(deps: Deps) {
  return async ({ filters, limit, cursor }: Feed): Promise<FeedPage> => {
    const key = ['feed', filters];
    const state = cursor === '' ? await start(deps, filters) : deps.cursors.read<CursorState>(key, cursor);
    const read = await openRaisedReader(deps, filters, state);
    const { entries, position } = await readPage(read, state.position, limit);
    const items = entries.map(({ item }) => item);
    return { items, nextCursor: position ? deps.cursors.write(key, { ...state, position }) : '' };
  };
}

/** Moments in the order of their videos: those with better moments as if they were newer. */
export function openMoments(deps: Omit<Deps, 'interest'>) {
  return async ({ filters, limit, cursor }: Feed): Promise<MomentsPage> => {
    const key = ['moments', filters, limit];
    const state: Omit<CursorState, 'raised'> =
      cursor === '' ? { at: Date.now(), position: begin } : deps.cursors.read(key, cursor);
    const read = openReader(deps, filters, new Date(state.at), 'moments_at');
    const { entries, position } = await readPage(read, state.position, videosOfPage(limit));
    const moments = entries.flatMap(({ item, moments: own = [] }) => shownMoments(item, own, limit));
    return { moments, nextCursor: position ? deps.cursors.write(key, { ...state, position }) : '' };
  };
}

async function start({ interest }: Deps, filters: Filters): Promise<CursorState> {
  const at = Date.now();
  const isOfAll = Object.values(filters).every((value) => value === undefined);
  return { at, position: begin, raised: isOfAll ? await interest.raise(at) : [] };
}

/** The reader of the newest without those that are raised, and these at their places among them. */
async function openRaisedReader(deps: Deps, filters: Filters, { at, raised }: CursorState): Promise<Reader> {
  const order = filters.sport === undefined ? 'feed_at' : 'sport_feed_at';
  const read = openReader(deps, filters, new Date(at), order);
  if (raised.length === 0) return read;
  const entries = await deps.interest.readRaised(raised, at);
  const ids = entries.map(({ id }) => id);
  return async (after, size, without, early = []) => {
    const due = entries.filter(
      ({ id, sort, publisherId }) =>
        publisherId !== without && !early.includes(id) && (after === undefined || comparePlaces(after, sort) < 0),
    );
    const others = await read(after, size, without, [...early, ...ids]);
    return [...due, ...others].toSorted((a, b) => comparePlaces(a.sort, b.sort)).slice(0, size);
  };
}

/** Reads the index as of `at`: videos published later appear in the next feed without a cursor. */
function openReader({ search, alias }: Pick<Deps, 'search' | 'alias'>, filters: Filters, at: Date, stored: Order) {
  // Stored, so that OpenSearch reads the newest alone. An index of an earlier mapping has the time of publication alone,
  // and no moments.
  const order = [
    { [stored]: { order: 'desc', unmapped_type: 'long', missing: 0 } },
    { published_at: 'desc' },
    { video_id: 'asc' },
  ];
  return async (
    after: Position['after'],
    size: number,
    without?: string,
    early: readonly string[] = [],
  ): Promise<FeedEntry[]> => {
    const isOfMoments = stored === 'moments_at';
    const filter = [
      ...feedClauses(filters),
      { range: { published_at: { lte: at.toISOString() } } },
      ...(isOfMoments ? [{ exists: { field: stored } }] : []),
    ];
    const must_not = [
      ...(without === undefined ? [] : [{ term: { publisher_id: without } }]),
      ...(early.length === 0 ? [] : [{ ids: { values: early } }]),
    ];
    const body = {
      size,
      query: { bool: { filter, must_not } },
      sort: order,
      track_total_hits: false,
      _source: isOfMoments ? ['item', 'moments'] : ['item'],
      ...(after && { search_after: after }),
    };
    const hits = await searchHits<Hit>(search, alias, body);
    return hits.map(({ _id, sort, _source }) => ({
      id: _id,
      publisherId: _source.item.publisherId ?? '',
      sort,
      ..._source,
    }));
  };
}

/** One page, and the position after it; undefined when nothing is left. */
async function readPage(
  read: Reader,
  from: Position,
  limit: number,
): Promise<{ entries: FeedEntry[]; position: Position | undefined }> {
  const entries: FeedEntry[] = [];
  const others = openOthers(read, limit);
  let position = from;
  let ahead: FeedEntry[] = [];
  for (;;) {
    if (ahead.length === 0) ahead = await read(position.after, limit + 1);
    const next = ahead[0];
    if (next === undefined) return { entries, position: undefined };
    const step = nextStep(position, next);
    if (step !== 'skip' && entries.length === limit) return { entries, position };
    const other = step === 'show-early' ? await others.next(position) : undefined;
    if (other) {
      position = shownEarly(position, other);
      entries.push(other);
      continue;
    }
    position = step === 'skip' ? skipped(position, next) : shown(position, next);
    if (step !== 'skip') entries.push(next);
    others.drop(next.id);
    ahead.shift();
  }
}

/** The newest videos of other publishers than one, read once a page; after an empty read none follows. */
function openOthers(read: Reader, size: number) {
  let without: string | undefined;
  let entries: FeedEntry[] = [];
  const alone = new Set<string>();
  return {
    next: async (position: Position): Promise<FeedEntry | undefined> => {
      const one = blockedPublisher(position) ?? '';
      if (alone.has(one)) return undefined;
      if (without !== one || entries.length === 0) entries = await read(position.after, size, one, position.early);
      without = one;
      if (entries.length === 0) alone.add(one);
      return entries.shift();
    },
    /** Removes an entry that was shown in order. */
    drop: (id: string): void => void (entries = entries.filter((entry) => entry.id !== id)),
  };
}
