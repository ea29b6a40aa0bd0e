/** Languages that live videos have, read at most once a second: a field that no video has is not asked. */
import { fieldOf, type LanguageField } from '../domain/languages.ts';
import type { Present } from '../domain/query-clauses.ts';
import type { OpenSearch } from './open-search.ts';

type Buckets = { readonly buckets: readonly { readonly key: string }[] };
type Reply = { readonly aggregations: { readonly titles: Buckets; readonly texts: Buckets } };

const freshMs = 1_000;

export function openPresentLanguages(search: OpenSearch, alias: string) {
  let last: Promise<Present> | undefined;
  let lastAt = 0;
  const read = async (): Promise<Present> => {
    const aggs = { titles: agg('language'), texts: agg('caption_languages') };
    const body = { size: 0, query: { bool: { filter: [{ term: { live: true } }] } }, aggs };
    const query = { request_cache: true };
    const reply = await search.ask<Reply>({ method: 'POST', path: `/${alias}/_search`, query, body });
    return { titles: fieldsOf(reply.aggregations.titles), texts: fieldsOf(reply.aggregations.texts) };
  };
  return (): Promise<Present> => {
    if (last !== undefined && Date.now() - lastAt < freshMs) return last;
    const asking = read();
    last = asking;
    lastAt = Date.now();
    asking.catch(() => {
      if (last === asking) last = undefined; // who waits for it hears the error; the next asks anew
    });
    return asking;
  };
}

function agg(field: string): object {
  return { terms: { field, size: 200 } };
}

function fieldsOf({ buckets }: Buckets): LanguageField[] {
  return [...new Set(buckets.map(({ key }) => fieldOf(key)))];
}
