/**
 * Search: one question for the order of the hits, one for what is shown of them. The second reads the index as it is
 * now, so that a page turned in an old view never shows what is no longer live.
 */
import { randomBytes } from 'node:crypto';
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import type { Snippet } from '@vds/proto/generated/vds/indexer/v1/Snippet.ts';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import { fieldOf } from '../domain/languages.ts';
import type { Filters } from '../domain/filters.ts';
import { searchQuery, shownFields } from '../domain/search-query.ts';
import { snippetsOf, type Highlight, type MarkTags } from '../domain/snippets.ts';
import { wordsQuery, type Asked, type Present } from '../domain/query-clauses.ts';
import type { Cursors } from './cursors.ts';
import { because, type OpenSearch } from './open-search.ts';
import { rareWords } from './rare-words.ts';

export type Search = {
  readonly query: string;
  readonly filters: Filters;
  readonly language: string | undefined;
  readonly limit: number;
  readonly cursor: string;
};
export type Found = { readonly hits: readonly FoundHit[]; readonly nextCursor: string; readonly total: number };
export type FoundHit = { readonly item: Item; readonly score: number; readonly snippets: Snippet[] };

/** Where a reader is: page one's hits by their ids, and from page two on the view that its pages are cut from. */
type Place = {
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

/** What OpenSearch says of a view that has run out or was of an index that is no more. */
const gone = [
  'search_phase_execution_exception',
  'search_context_missing_exception',
  'index_not_found_exception',
  'http_404',
];
const order = [{ _score: 'desc' }, { video_id: 'asc' }];

type Now = { readonly at: Date; readonly total: number; readonly rare: readonly string[]; readonly view?: string };

export function openSearches(given: Deps) {
  const { search, alias, present, cursors } = given;
  const show = openShow(given);
  const views = openViews(given);
  const rank = openRanking(given, views.keepAlive);

  return async ({ query, filters, language, limit, cursor }: Search): Promise<Found> => {
    const question = ['search', query, filters, language];
    const place = cursor === '' ? undefined : cursors.read<Place>(question, cursor);
    const preferred = language === undefined ? undefined : fieldOf(language);
    const at = new Date(place?.at ?? Date.now());
    const known = { query, filters, language, preferred, present: await present(), at };
    const asked = { ...known, rare: place?.rare ?? (await rareWords(search, alias, known)) };
    if (wordsQuery(asked, false) === undefined) return { hits: [], nextCursor: '', total: 0 };
    const view = place && (place.view ?? (await views.open()));
    const { hits } = await rank(asked, place, view, limit + 1);
    const page = hits.hits.slice(0, limit);
    const total = place?.total ?? hits.total.value;
    if (hits.hits.length <= limit) {
      if (view !== undefined) await views.close(view);
      return { hits: await show(asked, page), nextCursor: '', total };
    }
    const next = nextPlace(place, page, { at, total, rare: asked.rare, ...(view !== undefined && { view }) });
    return { hits: await show(asked, page), nextCursor: cursors.write(question, next), total };
  };
}

/** Items and marked places of `ids` as they are now; what is not live any more is left out. */
function openShow({ search, alias }: Deps) {
  const ask = async (hits: readonly Hit[], fields: readonly string[], marked: object, tags: MarkTags) => {
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
    const reply = await search.ask<{ hits: { hits: ShownHit[] } }>({ method: 'POST', path: `/${alias}/_search`, body });
    return reply.hits.hits;
  };
  return async (asked: Asked, hits: readonly Hit[]): Promise<FoundHit[]> => {
    const marked = wordsQuery(asked, false);
    if (marked === undefined || hits.length === 0) return [];
    const nonce = randomBytes(6).toString('hex');
    const tags = { open: `<${nonce}>`, close: `</${nonce}>` };
    const fields = shownFields(asked.present);
    const shown = new Map((await ask(hits, fields, marked, tags)).map((hit) => [hit._id, hit]));
    // Looking for nearly the same words reads whole texts: only for hits that show nothing else.
    const bare = hits.filter(({ _id }) => shown.has(_id) && shown.get(_id)?.highlight === undefined);
    const nearly = bare.length > 0 ? wordsQuery(asked, true) : undefined;
    for (const hit of nearly ? await ask(bare, fields, nearly, tags) : []) shown.set(hit._id, hit);
    return hits.flatMap(({ _id, _score }) => {
      const hit = shown.get(_id);
      if (!hit) return [];
      const { item } = hit._source;
      return [{ item, score: _score, snippets: snippetsOf(hit.highlight ?? {}, tags, item, asked.preferred) }];
    });
  };
}

/** A view of the index as it is at one moment, kept while its pages are turned. */
function openViews({ search, alias, cursorKeepMs, log }: Deps) {
  const keep_alive = `${Math.ceil(cursorKeepMs / 1_000)}s`;
  return {
    keepAlive: keep_alive,
    /** Undefined where OpenSearch keeps no more of them (300 a node): the page is then cut from the index as it is now. */
    open: async (): Promise<string | undefined> => {
      const path = `/${alias}/_search/point_in_time`;
      try {
        return (await search.ask<{ pit_id: string }>({ method: 'POST', path, query: { keep_alive } })).pit_id;
      } catch (error) {
        log.warn({ reason: messageOf(error) }, 'a page is read without a view');
        return undefined;
      }
    },
    close: async (id: string): Promise<void> => {
      const gone = search.ask({ method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [id] } });
      // It runs out by itself.
      await gone.catch((error: unknown) => log.debug({ reason: messageOf(error) }, 'a view was not closed'));
    },
  };
}

/** The order of the hits: of the index as it is now for the first page, of a view of it for those that follow. */
function openRanking({ search, alias }: Deps, keepAlive: string) {
  return async (asked: Asked, place: Place | undefined, view: string | undefined, size: number): Promise<Reply> => {
    const body = {
      size,
      query: searchQuery(asked, place?.first ?? []),
      sort: order,
      _source: false,
      track_total_hits: place === undefined ? 10_000 : false,
      ...(place?.after && { search_after: place.after }),
      ...(view !== undefined && { pit: { id: view, keep_alive: keepAlive } }),
    };
    const path = view === undefined ? `/${alias}/_search` : '/_search';
    try {
      return await search.ask<Reply>({ method: 'POST', path, body });
    } catch (error) {
      if (view !== undefined && because(error, ...gone)) throw expired(error);
      throw error;
    }
  };
}

function expired(cause: unknown): AppError {
  return new AppError('INVALID_ARGUMENT', 'cursor has expired: begin anew without it', {
    reason: 'cursor_expired',
    cause,
  });
}

/** Where the reader is after a page. Page one is left out of the view's pages by its ids: a view has scores of its own. */
function nextPlace(place: Place | undefined, page: readonly Hit[], now: Now): Place {
  return place === undefined
    ? { at: now.at.getTime(), total: now.total, rare: now.rare, first: page.map(({ _id }) => _id) }
    : { ...place, ...(now.view !== undefined && { view: now.view }), after: page.at(-1)?.sort ?? [] };
}
