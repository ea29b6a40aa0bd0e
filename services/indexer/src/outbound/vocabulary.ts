/** The languages and words of live videos, so that a search queries only useful fields and typos. */
import { AppError } from '@vds/chassis/errors';
import { fieldOf, type LanguageField } from '../domain/languages.ts';
import { checkedWords, type Present, type SearchInput } from '../domain/query-clauses.ts';
import type { OpenSearch } from './open-search.ts';

type Buckets = { readonly buckets: readonly { readonly key: string }[] };
type Languages = { readonly aggregations: { readonly titles: Buckets; readonly texts: Buckets } };
type Counts = {
  readonly responses: readonly {
    readonly hits?: { readonly total: { readonly value: number } };
    readonly error?: object;
  }[];
};

const FRESH_MS = 1_000;
/** A word that this many videos have is spelled correctly. */
const COMMON = 5;

/** The languages that live videos have (a tombstone has none), read at most once a second. */
export function openPresentLanguages(search: OpenSearch, alias: string) {
  let last: Promise<Present> | undefined;
  let lastAt = 0;
  const read = async (): Promise<Present> => {
    const aggs = { titles: termsOf('language'), texts: termsOf('caption_languages') };
    const body = { size: 0, aggs };
    const query = { request_cache: true };
    const reply = await search.request<Languages>({ method: 'POST', path: `/${alias}/_search`, query, body });
    return { titles: fieldsOf(reply.aggregations.titles), texts: fieldsOf(reply.aggregations.texts) };
  };
  return (): Promise<Present> => {
    if (last !== undefined && Date.now() - lastAt < FRESH_MS) return last;
    const reading = read();
    last = reading;
    lastAt = Date.now();
    reading.catch(() => {
      if (last === reading) last = undefined; // its callers get the error; the next call reads again
    });
    return reading;
  };
}

function termsOf(field: string): object {
  return { terms: { field, size: 200 } };
}

function fieldsOf({ buckets }: Buckets): LanguageField[] {
  return [...new Set(buckets.map(({ key }) => fieldOf(key)))];
}

/**
 * The words of a query that hardly any video has: only for these typos are searched, which is expensive.
 * @throws AppError UNAVAILABLE when a part of the reply is missing
 */
export async function rareWords(
  search: OpenSearch,
  alias: string,
  input: Omit<SearchInput, 'rare'>,
): Promise<readonly string[]> {
  const words = checkedWords({ ...input, rare: undefined });
  if (words.length === 0) return [];
  const lines = words.flatMap(({ query }) => [
    { index: alias },
    { size: 0, query, terminate_after: COMMON, track_total_hits: COMMON },
  ]);
  const { responses } = await search.request<Counts>({ method: 'POST', path: '/_msearch', lines });
  return words.flatMap(({ text }, at) => {
    const { hits } = responses[at] ?? {};
    if (!hits) throw new AppError('UNAVAILABLE', 'OpenSearch did not count a word');
    return hits.total.value < COMMON ? [text] : [];
  });
}
