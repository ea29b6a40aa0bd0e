/**
 * Recommendations: candidates that are watched together with a viewer's videos, that are like them, of their sports, and
 * fresh ones, merged by the domain's rules. Each source is one bounded query, and all of them are one request.
 */
import { AppError } from '@vds/chassis/errors';
import type { Whole } from '../domain/document.ts';
import { filterClauses, ownFilters, type Filters } from '../domain/filters.ts';
import { vectorField, type VectorModel } from '../domain/mapping.ts';
import {
  choose,
  freshness,
  mostAlike,
  nearness,
  ranked,
  seedWeights,
  sportFinding,
  togetherFindings,
  type Candidate,
  type Finding,
  type Item,
  type Recommended,
  type Seed,
} from '../domain/recommendation.ts';
import type { Cursors } from './cursors.ts';
import { searchHits, type OpenSearch } from './open-search.ts';
import type { Watched } from './watched.ts';

type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  readonly watched: Pick<Watched, 'companions'>;
  /** Undefined where no embeddings are configured. */
  readonly vectors: VectorModel | undefined;
  readonly cursors: Cursors;
  /** Of a feed. */
  readonly halfLifeMs: number;
};
export type Recommend = {
  /** Newest first, each once. */
  readonly seen: readonly Seed[];
  readonly filters: Filters;
  readonly limit: number;
  readonly cursor: string;
};
export type RecommendPage = { readonly list: readonly Recommended[]; readonly nextCursor: string };
type Source = { readonly item: Item; readonly whole?: Whole };
type Hit = { readonly _id: string; readonly _score: number | null; readonly _source: Source };
type CursorState = { readonly at: number; readonly shown: readonly string[] };
/** What is asked for a page. */
type Question = {
  readonly at: number;
  readonly filters: Filters;
  /** Live seeds. */
  readonly seeds: readonly Item[];
  readonly weights: ReadonlyMap<string, number>;
  /** Videos that are not recommended. */
  readonly without: readonly string[];
  /** Candidates of each source. */
  readonly limit: number;
};

/** Seeds that count; later ones are only never recommended. */
const SEEDS = 50;
/** Seeds whose words are compared. */
const COMPARED = 8;
/** Seeds whose neighbours in meaning are asked for. */
const COMPARED_IN_MEANING = 3;
const [OF_SPORT, SPORTS] = [25, 3];
const SOURCE = ['item', 'whole'];
/** The list ends there. */
const MAX_SHOWN = 200;
/** How often other publishers are looked for. */
const MORE_PUBLISHERS = 3;
/** A recommended video ages slower than one of a feed. */
const HALF_LIVES = 10;

/**
 * Live videos, never one that was seen. Seeds that are not live do not count; without any live seed the freshest come
 * first.
 */
export function openRecommendations(deps: Deps) {
  return async ({ seen, filters, limit, cursor }: Recommend): Promise<RecommendPage> => {
    const key = ['recommend', seen, filters];
    const state: CursorState = cursor === '' ? { at: Date.now(), shown: [] } : deps.cursors.read(key, cursor);
    const seeds = seen.slice(0, SEEDS);
    const ids = seen.map(({ videoId }) => videoId);
    const live = await readItems(deps, [...ids.slice(0, SEEDS), ...state.shown]);
    const inOrder = (of: readonly string[]): Item[] => of.flatMap((id) => live.get(id) ?? []);
    const question: Question = {
      ...{ at: state.at, filters, weights: seedWeights(seeds), seeds: inOrder(ids.slice(0, SEEDS)) },
      without: [...ids, ...state.shown],
      limit: candidatesFor(limit),
    };
    const list = await fill(deps, question, inOrder(state.shown), Math.min(limit, MAX_SHOWN - state.shown.length));
    const shown = [...state.shown, ...list.map(({ item }) => item.videoId)];
    const isLast = list.length < limit || shown.length >= MAX_SHOWN;
    return { list, nextCursor: isLast ? '' : deps.cursors.write(key, { at: state.at, shown }) };
  };
}

/** Enough for what is left out as a copy, or as one of its publisher's many. */
function candidatesFor(limit: number): number {
  return 20 + 2 * limit;
}

async function readItems(deps: Deps, ids: readonly string[]): Promise<ReadonlyMap<string, Item>> {
  const { search, alias } = deps;
  const filter = [{ ids: { values: ids } }, { term: { live: true } }];
  const body = { size: ids.length, query: { bool: { filter } }, track_total_hits: false, _source: SOURCE };
  const hits = await searchHits<Hit>(search, alias, body);
  return new Map(hits.map((hit) => [hit._id, itemOf(deps, hit)]));
}

/** With its vector, if it is of the model that the index has. */
function itemOf({ vectors }: Deps, { _source: { item, whole } }: Hit): Item {
  if (!whole || !vectors || whole.field !== vectorField(vectors)) return item;
  return { ...item, vector: new Int8Array(Buffer.from(whole.vector, 'base64')) };
}

/** Where few publishers have all candidates, others' newest are asked for before any has more than its part. */
async function fill(deps: Deps, question: Question, shown: readonly Item[], limit: number): Promise<Recommended[]> {
  const list: Recommended[] = [];
  const items = (): Item[] => [...shown, ...list.map(({ item }) => item)];
  let left: readonly Recommended[] = ranked(await candidatesOf(deps, question));
  const publishers = new Set(left.map(({ item }) => item.publisherId));
  for (let round = 0; ; round += 1) {
    const isLast = round === MORE_PUBLISHERS || question.filters.publisherId !== undefined;
    const next = choose(left, limit - list.length, items(), question.seeds, !isLast);
    list.push(...next.chosen);
    if (list.length >= limit || isLast) return list;
    const others = await newestOfOthers(deps, question, [...publishers]);
    for (const { item } of others) publishers.add(item.publisherId);
    if (others.length === 0) round = MORE_PUBLISHERS - 1;
    left = [...next.left, ...ranked(others)];
  }
}

async function candidatesOf(deps: Deps, question: Question): Promise<Candidate[]> {
  const { seeds, weights, without, limit } = question;
  const together = togetherFindings(await deps.watched.companions(seeds.map(({ videoId }) => videoId)), weights);
  const best = [...together]
    .filter(([videoId]) => !without.includes(videoId))
    .toSorted(([, a], [, b]) => b.score - a.score)
    .slice(0, limit);
  const newest = { sort: [{ published_at: 'desc' }] };
  const near = heaviest(question, COMPARED_IN_MEANING).filter(({ vector }) => vector !== undefined);
  const bodies = [
    bodyOf(question, limit, { filter: [{ ids: { values: best.map(([videoId]) => videoId) } }] }),
    bodyOf(question, seeds.length === 0 ? 0 : limit, { must: [likeThese(question)] }),
    { ...bodyOf(question, limit, {}), ...newest },
    ...sportsOf(question).map((sport) => ({
      ...bodyOf(question, OF_SPORT, { filter: [{ term: { sport } }] }),
      ...newest,
    })),
  ];
  const byMeaning = near.map((seed) => nearestTo(deps, question, seed));
  const answers = await searchAll(deps, bodies, byMeaning);
  const items = new Map(answers.flat().map((hit) => [hit._id, itemOf(deps, hit)]));
  const words = answers[1] ?? [];
  const most = Math.max(...words.map(({ _score }) => _score ?? 0), 1e-9);
  const wordsOf = new Map(words.map(({ _id, _score }) => [_id, (_score ?? 0) / most]));
  const meaning = Map.groupBy(
    near.flatMap((seed, at) => meaningOf(question, seed, answers[bodies.length + at] ?? [])),
    ({ videoId }) => videoId,
  );
  return [...items].map(([videoId, item]): Candidate => {
    const co = together.get(videoId);
    const alike = wordsOf.get(videoId);
    const findings: Finding[] = [
      ...(co ? [co] : []),
      ...(meaning.get(videoId) ?? []),
      ...(alike === undefined ? [] : [{ source: 'words' as const, score: alike, seed: mostAlike(item, seeds) }]),
      ...(item.sport === undefined ? [] : [sportFinding(item.sport, seeds, weights)]),
      freshFinding(deps, item, question.at),
    ];
    return { item, findings };
  });
}

/** The seeds that count most. */
function heaviest({ seeds, weights }: Question, count: number): Item[] {
  return seeds.toSorted((a, b) => (weights.get(b.videoId) ?? 0) - (weights.get(a.videoId) ?? 0)).slice(0, count);
}

/**
 * Filters that nearly all videos pass apply to what was found: to walk the graph under them, all videos would be read.
 */
function nearestTo({ vectors }: Deps, question: Question, { vector = new Int8Array() }: Item) {
  const field = vectors === undefined ? '' : vectorField(vectors);
  const filter = ownFilters(question.filters);
  const k = question.limit + question.without.length;
  const knn = { vector: [...vector], k, ...(filter.length > 0 && { filter: { bool: { filter } } }) };
  const query = { knn: { [`passages.${field}`]: knn } };
  return bodyOf(question, question.limit, { must: [{ nested: { path: 'passages', score_mode: 'max', query } }] });
}

function meaningOf({ weights, limit }: Question, { videoId: seed }: Item, hits: readonly Hit[]) {
  const near = nearness(
    hits.map(({ _score }) => _score ?? 0),
    limit,
  );
  return hits.map(({ _id: videoId }, at) => ({
    ...{ videoId, source: 'meaning' as const, seed },
    score: (near[at] ?? 0) * Math.min(1, weights.get(seed) ?? 0),
  }));
}

function freshFinding({ halfLifeMs }: Deps, { publishedAt }: Item, at: number): Finding {
  const score = freshness(at - Date.parse(publishedAt), HALF_LIVES * halfLifeMs);
  return { source: 'fresh', score, seed: '' };
}

async function newestOfOthers(deps: Deps, question: Question, publishers: readonly string[]): Promise<Candidate[]> {
  const mustNot = [{ terms: { publisher_id: publishers } }];
  const body = { ...bodyOf(question, question.limit, { mustNot }), sort: [{ published_at: 'desc' }] };
  const [hits = []] = await searchAll(deps, [body]);
  return hits.map((hit) => {
    const item = itemOf(deps, hit);
    return { item, findings: [freshFinding(deps, item, question.at)] };
  });
}

type Clauses = { readonly filter?: object[]; readonly must?: object[]; readonly mustNot?: object[] };

function bodyOf({ filters, without }: Question, size: number, { filter = [], must = [], mustNot = [] }: Clauses) {
  const bool = {
    filter: [...filterClauses(filters), ...filter],
    must,
    must_not: [{ ids: { values: without } }, ...mustNot],
  };
  return { size, query: { bool }, track_total_hits: false, _source: SOURCE };
}

/** Words of what the seeds are called: as texts, so that no document is read again, and of no transcript. */
function likeThese(question: Question): object {
  const compared = heaviest(question, COMPARED);
  const like = (fields: readonly string[], texts: readonly string[], boost: number): object => ({
    more_like_this: {
      ...{ fields, like: texts, boost, min_term_freq: 1, min_doc_freq: 1, minimum_should_match: '1' },
      ...{ max_query_terms: MAX_TERMS, max_doc_freq: MAX_VIDEOS },
    },
  });
  const named = compared.flatMap(({ title, tags, topics }) => [title, ...tags, ...topics]);
  const told = compared.flatMap(({ summary }) => summary ?? []);
  const should = [
    like(['topics', 'tags', 'title'], named, 3),
    ...(told.length === 0 ? [] : [like(['summary'], told, 2)]),
  ];
  return named.length === 0 ? { match_none: {} } : { bool: { should } };
}

const MAX_TERMS = 25;
/** That have a compared word: one of more videos says little, and all of them would be read. */
const MAX_VIDEOS = 10_000;

/** The sports of most weight. */
function sportsOf({ seeds, weights }: Question): string[] {
  const named = new Set(seeds.flatMap(({ sport }) => sport ?? []));
  return [...named]
    .map((sport) => ({ sport, score: sportFinding(sport, seeds, weights).score }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, SPORTS)
    .map(({ sport }) => sport);
}

type Reply = { readonly hits?: { readonly hits: readonly Hit[] }; readonly error?: { readonly type: string } };

/** Where the index has no vectors a search by meaning fails and finds nothing: searches tell the operator. */
async function searchAll({ search, alias }: Deps, bodies: readonly object[], byMeaning: readonly object[] = []) {
  const lines = [...bodies, ...byMeaning].flatMap((body) => [{}, body]);
  const path = `/${alias}/_msearch`;
  const { responses } = await search.request<{ responses: readonly Reply[] }>({ method: 'POST', path, lines });
  return responses.map(({ hits, error }, at): readonly Hit[] => {
    if (hits) return hits.hits;
    if (at >= bodies.length) return [];
    throw new AppError('UNAVAILABLE', `OpenSearch, ${path}: ${error?.type}`);
  });
}
