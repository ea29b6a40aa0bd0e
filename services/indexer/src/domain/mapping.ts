/** The mapping of the index. Raise the version with every change: a reindex is then due. */
import { analysis } from './analysis.ts';
import { analyzers } from './languages.ts';

export const MAPPING_VERSION = 6;

const keyword = { type: 'keyword' } as const;
const folded = { type: 'text', analyzer: 'folded', search_analyzer: 'folded_query' } as const;
const clusters = { type: 'text', analyzer: 'clusters', search_analyzer: 'clusters_query' } as const;
const solid = { type: 'text', analyzer: 'solid', search_analyzer: 'solid_query' } as const;
/**
 * Of the languages whose words no space divides, folded texts have Chinese, Japanese and Korean, `clusters` the others;
 * `solid` has the words that a mark divides as one.
 */
const everyScript = { ...folded, fields: { clusters, solid } } as const;
/** With their beginnings as terms: a prefix would read the videos of every word that begins with it. */
const begun = { ...everyScript, index_prefixes: { min_chars: 2, max_chars: 12 } } as const;

export type IndexSize = { readonly indexReplicas: number; readonly indexShards: number };
/** Whose vectors an index has. */
export type VectorModel = { readonly model: string; readonly dimensions: number };

/** The number of copies is the operator's: OpenSearch would follow the number of nodes, and managed ones refuse that. */
export function replicaSettings(replicas: number): object {
  return { auto_expand_replicas: false, number_of_replicas: replicas };
}

/**
 * Body of the request that creates an index. Texts are stored next to `_source`, not in it, so that reading an item
 * does not read its 19 tracks; those have offsets, so that highlighting does not analyze a transcript again.
 * `refresh_interval` is set, or an idle index would refresh only on demand.
 */
export function indexBody({ indexReplicas, indexShards }: IndexSize, vectors?: VectorModel) {
  return {
    settings: {
      number_of_shards: indexShards,
      ...replicaSettings(indexReplicas),
      ...(vectors && { 'index.knn': true }),
      refresh_interval: '1s',
      analysis,
    },
    mappings: {
      dynamic: false,
      _meta: { mapping_version: MAPPING_VERSION, ...(vectors && { vectors: vectorField(vectors) }) },
      _source: { excludes: ['text', 'screen', 'title_in', 'summary_in', 'passages'] },
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
        feed_at: { type: 'long' },
        sport_feed_at: { type: 'long' },
        moments_at: { type: 'long' },
        title: begun,
        topics: begun,
        tags: begun,
        summary: everyScript,
        screen: { ...folded, store: true, index_options: 'offsets' },
        title_in: perLanguage({}),
        summary_in: perLanguage({}),
        text: perLanguage({ index_options: 'offsets' }),
        ...(vectors && { passages: passagesOf(vectors) }),
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

/** The field has the name of its model, so that vectors of two models are never compared: an index has one's alone. */
export function vectorField({ model, dimensions }: VectorModel): string {
  return `${model.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_${dimensions}`;
}

/** OpenSearch's k-NN with Lucene's HNSW, which filters while it walks the graph. */
function passagesOf(vectors: VectorModel): object {
  const method = { name: 'hnsw', engine: 'lucene', space_type: 'cosinesimil' };
  const vector = { type: 'knn_vector', dimension: vectors.dimensions, data_type: 'byte', method };
  return {
    type: 'nested',
    properties: { at_ms: { type: 'long', index: false }, [vectorField(vectors)]: vector },
  };
}
