/**
 * Search: one request for the order of the hits, one for their items and snippets. The second reads the current index,
 * so that a page of an old view never shows a video that is no longer live.
 */
import { randomBytes } from 'node:crypto';
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Snippet } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { fieldOf } from '../domain/languages.ts';
import type { Filters } from '../domain/filters.ts';
import { snippetsOf, type Highlight, type MarkTags } from '../domain/snippets.ts';
import { searchQuery, shownFields, wordsQuery, type Present, type SearchInput } from '../domain/query-clauses.ts';
import type { Cursors } from './cursors.ts';
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
export type FoundHit = { readonly item: Item; readonly score: number; readonly snippets: Snippet[] };

/** A reader's position: the ids of the first page, and from the second page on the view that pages are read from. */
type Position = {
  readonly at: number;
  readonly first: readonly string[];
  readonly rare: readonly string[];
  readonly view?: string;
  readonly after?: readonly unknown[];
  readonly total: number;
};
type Hit = { readonly _id: string; readonly _score: number; readonly sort: readonly unknown[] };
type Reply = { readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] } };
type ShownHit = { readonly _id: string; readonly _source: { readonly item: Item }; readonly highlight?: Highlight };

type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly present: () => Promise<Present>;
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
const order = [{ _score: 'desc' }, { video_id: 'asc' }];

type Page = { readonly at: Date; readonly total: number; readonly rare: readonly string[]; readonly view?: string };

export function openSearches(deps: Deps) {
  const { search, alias, present, cursors } = deps;
  const show = openShow(deps);
  const views = openViews(deps);
  const rank = openRanking(deps, views.keepAlive);

  return async ({ query, filters, language, limit, cursor }: Search): Promise<Found> => {
    const key = ['search', query, filters, language];
    const position = cursor === '' ? undefined : cursors.read<Position>(key, cursor);
    const preferred = language === undefined ? undefined : fieldOf(language);
    const at = new Date(position?.at ?? Date.now());
    const known = { query, filters, language, preferred, present: await present(), at };
    const input = { ...known, rare: position?.rare ?? (await rareWords(search, alias, known)) };
    if (wordsQuery(input, false) === undefined) return { hits: [], nextCursor: '', total: 0 };
    const view = position && (position.view ?? (await views.open()));
    const { hits } = await rank(input, position, view, limit + 1);
    const page = hits.hits.slice(0, limit);
    const total = position?.total ?? hits.total.value;
    if (hits.hits.length <= limit) {
      if (view !== undefined) await views.close(view);
      return { hits: await show(input, page), nextCursor: '', total };
    }
    const next = nextPosition(position, page, { at, total, rare: input.rare, ...(view !== undefined && { view }) });
    return { hits: await show(input, page), nextCursor: cursors.write(key, next), total };
  };
}

/** Current items and snippets of hits; videos that are no longer live are omitted. */
function openShow({ search, alias }: Deps) {
  const highlight = async (hits: readonly Hit[], fields: readonly string[], marked: object, tags: MarkTags) => {
    const ids = hits.map(({ _id }) => _id);
    const body = {
      size: ids.length,
      _source: ['item'],
      query: { bool: { filter: [{ ids: { values: ids } }, { term: { live: true } }] } },
      highlight: {
        pre_tags: [tags.open],
        post_tags: [tags.close],
        number_of_fragments: 0,
        highlight_query: marked,
        fields: Object.fromEntries(fields.map((field) => [field, {}])),
      },
    };
    return searchHits<ShownHit>(search, alias, body);
  };
  return async (input: SearchInput, hits: readonly Hit[]): Promise<FoundHit[]> => {
    const marked = wordsQuery(input, false);
    if (marked === undefined || hits.length === 0) return [];
    const nonce = randomBytes(6).toString('hex');
    const tags = { open: `<${nonce}>`, close: `</${nonce}>` };
    const fields = shownFields(input);
    const shown = new Map((await highlight(hits, fields, marked, tags)).map((hit) => [hit._id, hit]));
    // Matching similar words reads complete texts: only for hits without any other snippet.
    const bare = hits.filter(({ _id }) => shown.has(_id) && shown.get(_id)?.highlight === undefined);
    const similar = bare.length > 0 ? wordsQuery(input, true) : undefined;
    for (const hit of similar ? await highlight(bare, fields, similar, tags) : []) shown.set(hit._id, hit);
    return hits.flatMap(({ _id, _score }) => {
      const hit = shown.get(_id);
      if (!hit) return [];
      const { item } = hit._source;
      return [{ item, score: _score, snippets: snippetsOf(hit.highlight ?? {}, tags, item, input.preferred) }];
    });
  };
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

/** The order of the hits: in the current index for the first page, in a view of it for the following ones. */
function openRanking({ search, alias }: Deps, keepAlive: string) {
  return async (
    input: SearchInput,
    position: Position | undefined,
    view: string | undefined,
    size: number,
  ): Promise<Reply> => {
    const body = {
      size,
      query: searchQuery(input, position?.first ?? []),
      sort: order,
      _source: false,
      track_total_hits: position === undefined ? 10_000 : false,
      ...(position?.after && { search_after: position.after }),
      ...(view !== undefined && { pit: { id: view, keep_alive: keepAlive } }),
    };
    const path = view === undefined ? `/${alias}/_search` : '/_search';
    try {
      return await search.request<Reply>({ method: 'POST', path, body });
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

/**
 * The position after a page. The first page is excluded from the view's pages by its ids: a view has its own scores.
 */
function nextPosition(position: Position | undefined, page: readonly Hit[], { at, total, rare, view }: Page): Position {
  return position === undefined
    ? { at: at.getTime(), total, rare, first: page.map(({ _id }) => _id) }
    : { ...position, ...(view !== undefined && { view }), after: page.at(-1)?.sort ?? [] };
}
