/**
 * Recommendations before viewers were known: shared topics, tags, summaries and words of speech, the same sport, and
 * freshness. What the bench compares with.
 */
import type { Item } from '@vds/proto/generated/vds/indexer/v1/Item.ts';
import { fieldOf } from '@vds/indexer/domain/languages';
import { searchHits, type OpenSearch } from '@vds/indexer/outbound/open-search';

type Deps = { readonly search: OpenSearch; readonly alias: string; readonly halfLifeMs: number };
type Seed = { readonly _id: string; readonly _source: { readonly item: Item } };

/** Seeds whose words are compared; of older ones only the sport counts. */
const COMPARED = 8;
const weights = { topics: 3, summary: 2, words: 1, sport: 4, fresh: 2 } as const;

/**
 * The best `limit` live videos, never one of `ids`. Seeds that are not live do not count; without any live seed the
 * freshest come first.
 */
export function openWordsAlone(deps: Deps) {
  return async (ids: readonly string[], limit: number): Promise<Item[]> => {
    const { search, alias } = deps;
    const live = { bool: { filter: [{ ids: { values: ids } }, { term: { live: true } }] } };
    const seedsBody = { size: ids.length, query: live, _source: ['item'] };
    const found = await searchHits<Seed>(search, alias, seedsBody);
    const seeds = ids.flatMap((id) => found.filter(({ _id }) => _id === id));
    const body = {
      size: limit,
      query: queryOf(deps, seeds, ids),
      sort: [{ _score: 'desc' }, { video_id: 'asc' }],
      track_total_hits: false,
      _source: ['item'],
    };
    const hits = await searchHits<Seed>(search, alias, body);
    return hits.map(({ _source }) => _source.item);
  };
}

function queryOf({ alias, halfLifeMs }: Deps, seeds: readonly Seed[], without: readonly string[]): object {
  const newest = seeds.slice(0, COMPARED);
  const sports = [...sportsOf(seeds)].map(([sport, count]) => ({
    constant_score: { filter: { term: { sport } }, boost: (weights.sport * count) / seeds.length },
  }));
  const words =
    newest.length === 0
      ? []
      : [
          like(alias, ['topics', 'tags', 'title'], newest, weights.topics),
          like(alias, ['summary'], newest, weights.summary),
          like(alias, textFields(newest), newest, weights.words),
        ];
  const filter = [{ term: { live: true } }];
  const query = { bool: { filter, must_not: [{ ids: { values: without } }], should: [...words, ...sports] } };
  const fresh = { published_at: { origin: new Date().toISOString(), scale: `${10 * halfLifeMs}ms`, decay: 0.5 } };
  return { function_score: { query, functions: [{ weight: weights.fresh, exp: fresh }], boost_mode: 'sum' } };
}

function sportsOf(seeds: readonly Seed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { sport } of seeds.map(({ _source }) => _source.item))
    if (sport !== undefined) counts.set(sport, (counts.get(sport) ?? 0) + 1);
  return counts;
}

function like(alias: string, fields: readonly string[], seeds: readonly Seed[], boost: number): object {
  return {
    more_like_this: {
      fields,
      like: seeds.map(({ _id }) => ({ _index: alias, _id })),
      min_term_freq: 1,
      min_doc_freq: 1,
      max_query_terms: 30,
      minimum_should_match: '1',
      boost,
    },
  };
}

/** The text fields of the seeds' own languages. */
function textFields(seeds: readonly Seed[]): string[] {
  return [...new Set(seeds.map(({ _source }) => `text.${fieldOf(_source.item.languageCode ?? '')}`))];
}
