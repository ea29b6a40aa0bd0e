/** Which words of a question hardly any video has: only there a typing error is looked for, which costs much. */
import { AppError } from '@vds/chassis/errors';
import { doubtfulWords, type Asked } from '../domain/query-clauses.ts';
import type { OpenSearch } from './open-search.ts';

/** A word that so many videos have is taken to be right. */
const enough = 5;

type Reply = {
  readonly responses: readonly {
    readonly hits?: { readonly total: { readonly value: number } };
    readonly error?: object;
  }[];
};

/** @throws AppError UNAVAILABLE when a part of the answer is missing */
export async function rareWords(
  search: OpenSearch,
  alias: string,
  asked: Omit<Asked, 'rare'>,
): Promise<readonly string[]> {
  const words = doubtfulWords({ ...asked, rare: undefined });
  if (words.length === 0) return [];
  const lines = words.flatMap(({ query }) => [
    { index: alias },
    { size: 0, query, terminate_after: enough, track_total_hits: enough },
  ]);
  const { responses } = await search.ask<Reply>({ method: 'POST', path: '/_msearch', lines });
  return words.flatMap(({ text }, at) => {
    const { hits } = responses[at] ?? {};
    if (!hits) throw new AppError('UNAVAILABLE', 'OpenSearch did not count a word');
    return hits.total.value < enough ? [text] : [];
  });
}
