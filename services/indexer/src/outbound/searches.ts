/**
 * Search: requests for the order of the hits, by words and by meaning, and one for the items and snippets of a page.
 * That one reads the current index, so that a page of an old view never shows a video that is no longer live.
 */
import { randomBytes } from 'node:crypto';
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Snippet } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { fieldOf, type LanguageField } from '../domain/languages.ts';
import type { Filters } from '../domain/filters.ts';
import { snippetsOf, type Highlight, type MarkTags } from '../domain/snippets.ts';
import {
  NAMED_CLAUSE,
  orderingQuery,
  retrievingQuery,
  shownFields,
  speechQueries,
  wordsQuery,
  type Present,
  type SearchInput,
} from '../domain/query-clauses.ts';
import { fuse, type ByWords, type Fused } from '../domain/fusion.ts';
import { DEPTH } from '../domain/ranking.ts';
import type { Cursors } from './cursors.ts';
import type { Meaning } from './meaning.ts';
import { hasReason, searchHits, type OpenSearch } from './open-search.ts';
import { rareWords } from './vocabulary.ts';

export type Search = {
  readonly query: string;
  readonly filters: Filters;
  readonly language: string | undefined;
  readonly limit: number;
  readonly cursor: string;
};
export type Found = { readonly hits: readonly FoundHit[]; readonly nextCursor: string; readonly total: number };
export type FoundHit = {
  readonly item: Item;
  readonly score: number;
  readonly snippets: Snippet[];
  readonly atMs?: number;
};

/** A reader's position: the ids of the first page, and from the second page on the view that pages are read from. */
type Position = {
  readonly at: number;
  readonly first: readonly string[];
  readonly rare: readonly string[];
  /** Of the query; none: all pages are of words alone. */
  readonly vector?: string;
  readonly view?: string;
  /** How many hits of the view were shown. */
  readonly shown: number;
  readonly total: number;
};
type WordHit = {
  readonly _score: number;
  readonly fields: { readonly video_id: readonly string[] };
  readonly matched_queries?: readonly string[];
};
type Reply = { readonly hits: { readonly hits: readonly WordHit[] } };
type Hit = Fused & { readonly hasWords: boolean; readonly isNear: boolean };
type ItemHit = {
  readonly _id: string;
  readonly _source: { readonly item: Item };
  readonly matched_queries?: readonly string[];
};
type Highlighted = { readonly _id: string; readonly highlight?: Highlight };

type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly present: () => Promise<Present>;
  readonly meaning: Meaning;
  readonly cursors: Cursors;
  readonly cursorKeepMs: number;
  readonly log: Logger;
};

/** OpenSearch's errors for a view that has expired or whose index was deleted. */
const expiredView = [
  'search_phase_execution_exception',
  'search_context_missing_exception',
  'index_not_found_exception',
  'http_404',
];

export function openSearches(deps: Deps) {
  const { search, alias, present, meaning, cursors } = deps;
  const show = openShow(deps);
  const views = openViews(deps);
  const rank = openRanking(deps, views.keepAlive);

  return async ({ query, filters, language, limit, cursor }: Search): Promise<Found> => {
    const key = ['search', query, filters, language];
    const position = cursor === '' ? undefined : cursors.read<Position>(key, cursor);
    const preferred = language === undefined ? undefined : fieldOf(language);
    const at = new Date(position?.at ?? Date.now());
    const known = { query, filters, language, preferred, present: await present(), at };
    // Signs without a word mean nothing.
    const hasWord = wordsQuery({ ...known, rare: undefined }, false) !== undefined;
    const [rare, vector] = position
      ? [position.rare, decodeVector(position.vector)]
      : await Promise.all([rareWords(search, alias, known), hasWord ? meaning.vectorOf(query) : undefined]);
    const input = { ...known, rare };
    const view = position && (position.view ?? (await views.open()));
    const ranked = await rank(input, vector, view);
    if (position && vector && !ranked.vector)
      throw new AppError('UNAVAILABLE', 'the next page of a search by meaning cannot be read: try again');
    const { first = [], shown = 0, total = ranked.hits.length } = position ?? {};
    // A view has its own scores: the first page is excluded by its ids.
    const rest = ranked.hits.filter(({ id }) => !first.includes(id)).slice(0, DEPTH - first.length);
    const page = rest.slice(shown, shown + limit);
    if (rest.length <= shown + limit) {
      if (view !== undefined) await views.close(view);
      return { hits: await show(input, page, ranked.vector), nextCursor: '', total };
    }
    const next: Position = {
      ...{ at: at.getTime(), total, rare },
      ...(ranked.vector && { vector: encodeVector(ranked.vector) }),
      ...(position
        ? { first, shown: shown + page.length, ...(view !== undefined && { view }) }
        : { first: page.map(({ id }) => id), shown: 0 }),
    };
    return { hits: await show(input, page, ranked.vector), nextCursor: cursors.write(key, next), total };
  };
}

/** In a cursor, so that the pages of one search do not differ, whatever becomes of the engine. */
function encodeVector(vector: readonly number[]): string {
  return Buffer.from(Int8Array.from(vector).buffer).toString('base64url');
}

function decodeVector(text: string | undefined): readonly number[] | undefined {
  return text === undefined ? undefined : [...new Int8Array(Buffer.from(text, 'base64url'))];
}

/** Current items and snippets of hits; videos that are no longer live are omitted. */
function openShow({ search, alias, meaning }: Deps) {
  const itemsOf = async (input: SearchInput, hits: readonly Hit[]): Promise<ReadonlyMap<string, ItemHit>> => {
    const filter = [{ ids: { values: hits.map(({ id }) => id) } }, { term: { live: true } }];
    const query = { bool: { filter, should: speechQueries(input) } };
    const items = await searchHits<ItemHit>(search, alias, { size: hits.length, _source: ['item'], query });
    return new Map(items.map((hit) => [hit._id, hit]));
  };
  /** Of each hit in one language of its speech that has a word: no other transcript is read. */
  const highlight = async (input: SearchInput, hits: readonly ItemHit[], marked: object, tags: MarkTags) => {
    const bySpeech = Map.groupBy(hits, (hit) => speechOf(hit, input.preferred));
    const parts = await Promise.all(
      [...bySpeech].map(([language, ofLanguage]) => {
        const fields = shownFields(input, language);
        return searchHits<Highlighted>(search, alias, {
          size: ofLanguage.length,
          _source: false,
          query: { ids: { values: ofLanguage.map(({ _id }) => _id) } },
          highlight: {
            pre_tags: [tags.open],
            post_tags: [tags.close],
            number_of_fragments: 0,
            highlight_query: marked,
            fields: Object.fromEntries(fields.map((field) => [field, {}])),
          },
        });
      }),
    );
    return parts.flat().flatMap(({ _id, highlight: found }) => (found ? [[_id, found] as const] : []));
  };
  const secondsOf = (hits: readonly Hit[], vector: readonly number[] | undefined) => {
    const near = hits.filter(({ isNear }) => isNear).map(({ id }) => id);
    return vector === undefined ? new Map<string, number>() : meaning.secondsOf(vector, near);
  };
  return async (
    input: SearchInput,
    hits: readonly Hit[],
    vector: readonly number[] | undefined,
  ): Promise<FoundHit[]> => {
    if (hits.length === 0) return [];
    const nonce = randomBytes(6).toString('hex');
    const tags = { open: `<${nonce}>`, close: `</${nonce}>` };
    const [items, seconds] = await Promise.all([itemsOf(input, hits), secondsOf(hits, vector)]);
    const withWords = hits.flatMap(({ id, hasWords }) => (hasWords ? (items.get(id) ?? []) : []));
    const found = new Map<string, Highlight>();
    // Matching similar words reads complete texts: only for hits without any other snippet.
    for (const withTypos of [false, true]) {
      const bare = withWords.filter(({ _id }) => !found.has(_id));
      const marked = bare.length > 0 ? wordsQuery(input, withTypos) : undefined;
      for (const [id, one] of marked ? await highlight(input, bare, marked, tags) : []) found.set(id, one);
    }
    return hits.flatMap(({ id, score }) => {
      const item = items.get(id)?._source.item;
      if (!item) return [];
      const snippets = snippetsOf(found.get(id) ?? {}, tags, item, input.preferred);
      const atMs = seconds.get(id);
      return [{ item, score, snippets, ...(atMs !== undefined && { atMs }) }];
    });
  };
}

/** The language that a hit's snippet of speech is in: the preferred one, the spoken one, any other that has a word. */
function speechOf({ _source, matched_queries: matched = [] }: ItemHit, preferred: LanguageField | undefined) {
  const wanted = [preferred, fieldOf(_source.item.languageCode ?? ''), ...matched];
  return wanted.find((language) => language !== undefined && matched.includes(language)) as LanguageField | undefined;
}

/** Views (OpenSearch's point in time) of the index, kept while a reader pages through them. */
function openViews({ search, alias, cursorKeepMs, log }: Deps) {
  const keep_alive = `${Math.ceil(cursorKeepMs / 1_000)}s`;
  return {
    keepAlive: keep_alive,
    /** Undefined where OpenSearch has no more of them (300 a node): the page is then read from the current index. */
    open: async (): Promise<string | undefined> => {
      const path = `/${alias}/_search/point_in_time`;
      try {
        return (await search.request<{ pit_id: string }>({ method: 'POST', path, query: { keep_alive } })).pit_id;
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'page read without a view');
        return undefined;
      }
    },
    close: async (id: string): Promise<void> => {
      const closing = search.request({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } });
      // Otherwise it expires by itself.
      await closing.catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'view not closed'));
    },
  };
}

type Ranked = {
  readonly hits: readonly Hit[];
  /** The query's, if the hits are by meaning too. */
  readonly vector: readonly number[] | undefined;
};

/** All hits in their order: of the current index for the first page, of a view of it for the following ones. */
function openRanking({ search, alias, meaning }: Deps, keepAlive: string) {
  const byWords = async (input: SearchInput, pit: object | undefined): Promise<readonly ByWords[]> => {
    const query = retrievingQuery(input);
    if (query === undefined) return [];
    const order = { rescore_query: orderingQuery(input), query_weight: 0, rescore_query_weight: 1 };
    const body = {
      size: DEPTH,
      query,
      rescore: { window_size: DEPTH, query: order },
      ...{ _source: false, stored_fields: '_none_', docvalue_fields: ['video_id'], track_total_hits: false },
      ...(pit && { pit }),
    };
    const path = pit ? '/_search' : `/${alias}/_search`;
    const { hits } = await search.request<Reply>({ method: 'POST', path, body });
    return hits.hits
      .map(({ _score, fields, matched_queries: matched = [] }) => ({
        id: fields.video_id[0] ?? '',
        score: _score,
        named: matched.includes(NAMED_CLAUSE),
      }))
      .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  };
  return async (
    input: SearchInput,
    vector: readonly number[] | undefined,
    view: string | undefined,
  ): Promise<Ranked> => {
    const pit = view === undefined ? undefined : { id: view, keep_alive: keepAlive };
    try {
      const [words, near] = await Promise.all([
        byWords(input, pit),
        vector && meaning.near(vector, input.filters, pit),
      ]);
      const [found, isNear] = [words, near ?? []].map((list) => new Set(list.map(({ id }) => id)));
      const hits = fuse(words, near ?? []).map((hit) => ({
        ...hit,
        hasWords: found?.has(hit.id) === true,
        isNear: isNear?.has(hit.id) === true,
      }));
      return { hits: hits.slice(0, DEPTH), vector: near && vector };
    } catch (error) {
      if (view !== undefined && hasReason(error, ...expiredView)) throw expired(error);
      throw error;
    }
  };
}

function expired(cause: unknown): AppError {
  return new AppError('INVALID_ARGUMENT', 'cursor has expired: start again without it', {
    reason: 'cursor_expired',
    cause,
  });
}
