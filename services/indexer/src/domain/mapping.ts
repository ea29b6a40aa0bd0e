/** The mapping of the index. Raise the version with every change: a reindex is then due. */
import { analysis } from './analysis.ts';
import { analyzers } from './languages.ts';

export const MAPPING_VERSION = 4;

const keyword = { type: 'keyword' } as const;
const folded = { type: 'text', analyzer: 'folded', search_analyzer: 'folded_query' } as const;
const clusters = { type: 'text', analyzer: 'clusters', search_analyzer: 'clusters_query' } as const;
const solid = { type: 'text', analyzer: 'solid', search_analyzer: 'solid_query' } as const;
/**
 * Of the languages whose words no space divides, folded texts have Chinese, Japanese and Korean, `clusters` the others;
 * `solid` has the words that a mark divides as one.
 */
const everyScript = { ...folded, fields: { clusters, solid } } as const;

export type IndexSize = { readonly indexReplicas: number };

/** The number of copies is the operator's: OpenSearch would follow the number of nodes, and managed ones refuse that. */
export function replicaSettings(replicas: number): object {
  return { auto_expand_replicas: false, number_of_replicas: replicas };
}

/**
 * Body of the request that creates an index. Texts are stored next to `_source`, not in it, so that reading an item
 * does not read its 19 tracks; those have offsets, so that highlighting does not analyze a transcript again.
 * `refresh_interval` is set, or an idle index would refresh only on demand.
 */
export function indexBody({ indexReplicas }: IndexSize): object {
  return {
    settings: {
      number_of_shards: 1,
      ...replicaSettings(indexReplicas),
      refresh_interval: '1s',
      analysis,
    },
    mappings: {
      dynamic: false,
      _meta: { mapping_version: MAPPING_VERSION },
      _source: { excludes: ['text', 'screen', 'title_in', 'summary_in'] },
      properties: {
        video_id: keyword,
        publisher_id: keyword,
        sport: keyword,
        inferred_sports: keyword,
        category: keyword,
        language: keyword,
        caption_languages: keyword,
        live: { type: 'boolean' },
        published_at: { type: 'date' },
        changed_at: { type: 'date' },
        title: everyScript,
        topics: everyScript,
        tags: everyScript,
        summary: everyScript,
        screen: { ...folded, store: true, index_options: 'offsets' },
        title_in: perLanguage({}),
        summary_in: perLanguage({}),
        text: perLanguage({ index_options: 'offsets' }),
      },
    },
  };
}

function perLanguage(more: object): object {
  return {
    properties: Object.fromEntries(
      Object.entries(analyzers).map(([field, analyzer]) => [
        field,
        { ...(analyzer === 'folded' ? folded : { type: 'text', analyzer }), store: true, ...more },
      ]),
    ),
  };
}
