/**
 * Our own analyzers, of parts that every OpenSearch has: no plugin is needed. They find words in scripts written
 * without spaces, whatever a video's declared language, by pairs of characters. Texts have single ones too, so that a
 * word of one character is found; queries only if there is no pair.
 */
const pairs = { type: 'shingle', min_shingle_size: 2, max_shingle_size: 2, token_separator: '' } as const;
const folding = ['cjk_width', 'lowercase', 'asciifolding'] as const;

export const analysis = {
  tokenizer: {
    /** Characters of Thai, Lao, Khmer and Burmese, each with its marks and the consonants stacked below it. */
    clusters: {
      type: 'pattern',
      pattern: '[\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}&&[\\p{L}\\p{N}]](?:[\\u17D2\\u1039]\\p{L}|\\p{M})*',
      group: 0,
    },
  },
  filter: {
    bigrams: { type: 'cjk_bigram', output_unigrams: true },
    pairs: { ...pairs, output_unigrams: true },
    pairs_query: { ...pairs, output_unigrams: false, output_unigrams_if_no_shingles: true },
  },
  analyzer: {
    folded: { tokenizer: 'standard', filter: [...folding, 'bigrams'] },
    folded_query: { tokenizer: 'standard', filter: [...folding, 'cjk_bigram'] },
    clusters: { tokenizer: 'clusters', filter: ['pairs'] },
    clusters_query: { tokenizer: 'clusters', filter: ['pairs_query'] },
  },
} as const;
