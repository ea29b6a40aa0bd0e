/** Videos that are near a query in meaning, whatever their words and languages. */
import { singleFlight, withTimeout } from '@vds/chassis/async';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { AppError, messageOf } from '@vds/chassis/errors';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Metrics } from '@vds/chassis/telemetry/metrics';
import type { ByMeaning } from '../domain/fusion.ts';
import { PASSAGE_LIMIT } from '../domain/document.ts';
import { ownFilters, type Filters } from '../domain/filters.ts';
import { vectorField } from '../domain/mapping.ts';
import { nearest } from '../domain/ranking.ts';
import { failFast } from './fail-fast.ts';
import type { OpenSearch } from './open-search.ts';

type Hit = {
  readonly _score: number;
  readonly fields: { readonly video_id: readonly string[] };
  readonly inner_hits?: { readonly passages: { readonly hits: { readonly hits: readonly Inner[] } } };
};
type Inner = { readonly fields?: { readonly 'passages.at_ms'?: readonly number[] } };
type Reply = { readonly hits: { readonly hits: readonly Hit[] } };

type Deps = {
  readonly search: OpenSearch;
  readonly alias: string;
  /** Undefined where none is configured. */
  readonly embedder: Embedder | undefined;
  readonly metrics: Metrics;
  readonly log: Logger;
};
export type Meaning = ReturnType<typeof openMeaning>;

/** Of one query: a process that has to start takes half a second. */
const EMBED_MS = 1_000;
/** Until then a late one is of use for the next search. */
const LATE_MS = 5_000;
/** Code points of a query: its beginning says what it is about, and 2,000 would hold the engine for more than a second. */
const EMBEDDED = 200;
const REMEMBERED = 1_000;

export function openMeaning({ search, alias, embedder, metrics, log }: Deps) {
  const state = openState(metrics, log, embedder === undefined ? 'no embeddings are configured' : undefined);
  const embed = embedder === undefined ? undefined : remembered(embedder);
  const find = failFast((body: object) => search.request<Reply>({ method: 'POST', ...(body as Request) }));
  const ask = async (knn: Knn, more: object, path?: string, innerHits?: object): Promise<readonly Hit[]> => {
    if (!embedder) throw new AppError('UNAVAILABLE', 'no embeddings are configured');
    const body = { ...bodyOf(vectorField(embedder), knn, innerHits), ...more };
    return (await find({ path: path ?? `/${alias}/_search`, body })).hits.hits;
  };
  return {
    /** What `/readyz` tells. */
    describe: state.describe,
    /** The query's vector; undefined while there is none: the search is then by words alone. */
    vectorOf: async (query: string): Promise<readonly number[] | undefined> => {
      if (!embed) return undefined;
      try {
        return await embed(query);
      } catch (error) {
        state.failed(error);
        return undefined;
      }
    },
    /** The nearest videos, best first; undefined where the index cannot tell. */
    near: async (
      vector: readonly number[],
      filters: Filters,
      pit: object | undefined,
    ): Promise<readonly ByMeaning[] | undefined> => {
      try {
        const hits = await ask({ vector, k: nearest.count, filter: ownFilters(filters) }, ...inView(pit));
        state.succeeded();
        const least = (hits[0]?._score ?? 0) - nearest.within;
        return hits.filter(({ _score }) => _score >= least).map((hit) => ({ id: idOf(hit) }));
      } catch (error) {
        if (pit) throw error; // later pages must not be of words alone
        // An index without the field, which no later try would find.
        const lacks = error instanceof AppError && error.code === 'INTERNAL';
        state.failed(lacks ? new AppError('FAILED_PRECONDITION', advice, { cause: error }) : error);
        return undefined;
      }
    },
    /** Where the nearest passage of each of these videos begins, if it is not about the whole video. */
    secondsOf: async (vector: readonly number[], ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
      if (ids.length === 0) return new Map();
      const at = { size: 1, _source: false, docvalue_fields: ['passages.at_ms'] };
      // As many as they can have: each is compared, and no graph is walked.
      const knn = { vector, k: ids.length * PASSAGE_LIMIT, filter: [{ ids: { values: ids } }] };
      try {
        const hits = await ask(knn, { size: ids.length }, undefined, at);
        return new Map(hits.flatMap((hit) => secondOf(hit).map((atMs) => [idOf(hit), atMs] as const)));
      } catch (error) {
        state.failed(error);
        return new Map();
      }
    },
  };
}

const advice =
  'the index has no vectors of this model: install the k-NN plugin of OpenSearch if it is missing, then start a reindex';

type Request = { readonly path: string; readonly body: object };

type Knn = { readonly vector: readonly number[]; readonly k: number; readonly filter: readonly object[] };

/** A tombstone has no passages: without a filter no video is looked at but those of the graph. */
function bodyOf(field: string, { vector, k, filter }: Knn, innerHits: object | undefined): object {
  const knn = { vector, k, ...(filter.length > 0 && { filter: { bool: { filter } } }) };
  const passages = {
    path: 'passages',
    score_mode: 'max',
    query: { knn: { [`passages.${field}`]: knn } },
    ...(innerHits && { inner_hits: innerHits }),
  };
  return {
    size: k,
    _source: false,
    docvalue_fields: ['video_id'],
    track_total_hits: false,
    query: { nested: passages },
  };
}

/** The body's part and the path of a request in a view. */
function inView(pit: object | undefined): [more: object, path?: string] {
  return pit === undefined ? [{}] : [{ pit }, '/_search'];
}

function idOf({ fields }: Hit): string {
  return fields.video_id[0] ?? '';
}

function secondOf({ inner_hits: inner }: Hit): readonly number[] {
  return inner?.passages.hits.hits[0]?.fields?.['passages.at_ms'] ?? [];
}

/**
 * A query that many ask costs its processor time once: the vectors of the last ones are kept, and one that is late for its
 * search is there for the next.
 */
function remembered(embedder: Embedder): (query: string) => Promise<readonly number[]> {
  const vectors = new Map<string, readonly number[]>();
  const keep = (text: string, vector: readonly number[]): void => {
    const key = text.toLowerCase();
    vectors.delete(key);
    vectors.set(key, vector);
    const [oldest] = vectors.keys();
    if (vectors.size > REMEMBERED && oldest !== undefined) vectors.delete(oldest);
  };
  const embedOnce = singleFlight(async (text) => {
    const [vector = new Int8Array(0)] = await embedder.embed([text], 'query', AbortSignal.timeout(LATE_MS));
    keep(text, [...vector]);
    return [...vector];
  });
  const embed = failFast((text: string) => inTime(embedOnce(text)));
  return async (query) => {
    const text = [...query.trim()].slice(0, EMBEDDED).join('');
    const known = vectors.get(text.toLowerCase());
    if (known) keep(text, known);
    return known ?? embed(text);
  };
}

/** @throws AppError UNAVAILABLE also for an engine that is late */
async function inTime<T>(embedding: Promise<T>): Promise<T> {
  try {
    return await withTimeout(embedding, EMBED_MS);
  } catch (cause) {
    throw new AppError('UNAVAILABLE', `no vector of a query: ${messageOf(cause)}`, { cause });
  }
}

/** Whether searches are by meaning too: a metric, a detail of `/readyz`, and a line of the log when it changes. */
function openState(metrics: Metrics, log: Logger, initial: string | undefined) {
  const gauge = metrics.gauge('vds_indexer_meaning', '1 while searches are by meaning too, 0 while by words alone');
  let reason = initial;
  const set = (next: string | undefined): void => {
    gauge.set(next === undefined ? 1 : 0);
    if ((next === undefined) === (reason === undefined)) return;
    reason = next;
    if (next === undefined) log.info('searches are by words and meaning again');
    else log.warn({ reason: next }, 'searches are by words alone');
  };
  set(initial);
  if (initial !== undefined) log.info({ reason: initial }, 'searches are by words alone');
  return {
    succeeded: (): void => set(undefined),
    failed: (error: unknown): void => set(messageOf(error)),
    describe: (): string => (reason === undefined ? 'words and meaning' : 'words alone: the log has the reason'),
  };
}
