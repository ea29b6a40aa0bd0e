import { unmarked } from './unmarked.ts';

/**
 * Our own analyzers, of parts that every OpenSearch has: no plugin is needed. They find words in scripts written
 * without spaces, whatever a video's declared language, by pairs of characters. Texts have single ones too, so that a
 * word of one character is found; queries only if there is no pair.
 */
const pairs = { type: 'shingle', min_shingle_size: 2, max_shingle_size: 2, token_separator: '' } as const;
const folding = [
  ...['cjk_width', 'lowercase', 'decimal_digit', 'arabic_normalization', 'persian_normalization', 'asciifolding'],
] as const;
/** Marks between the parts of a word, in a class of a regular expression. */
const joiners = "\\-/.&+'\u2019";

export const analysis = {
  char_filter: {
    unmarked: { type: 'mapping', mappings: unmarked },
  },
  tokenizer: {
    /** Words with a letter that one mark divides, such as `U-17`, `AC/DC` and `R&B`: readers leave the mark out. */
    compounds: {
      type: 'pattern',
      pattern: `(?=[\\p{M}\\p{N}${joiners}]*\\p{L})[\\p{L}\\p{M}\\p{N}]+(?:[${joiners}][\\p{L}\\p{M}\\p{N}]+){1,8}`,
      group: 0,
    },
    /** Characters of Thai, Lao, Khmer and Burmese, each with its marks and the consonants stacked below it. */
    clusters: {
      type: 'pattern',
      pattern: '[\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}&&[\\p{L}\\p{N}]](?:[\\u17D2\\u1039]\\p{L}|\\p{M})*',
      group: 0,
    },
  },
  filter: {
    solid: { type: 'pattern_replace', pattern: `[${joiners}]`, replacement: '' },
    bigrams: { type: 'cjk_bigram', output_unigrams: true },
    pairs: { ...pairs, output_unigrams: true },
    pairs_query: { ...pairs, output_unigrams: false, output_unigrams_if_no_shingles: true },
  },
  analyzer: {
    folded: { char_filter: 'unmarked', tokenizer: 'standard', filter: [...folding, 'bigrams'] },
    folded_query: { char_filter: 'unmarked', tokenizer: 'standard', filter: [...folding, 'cjk_bigram'] },
    solid: { char_filter: 'unmarked', tokenizer: 'compounds', filter: [...folding, 'solid'] },
    solid_query: { char_filter: 'unmarked', tokenizer: 'keyword', filter: [...folding, 'solid'] },
    clusters: { tokenizer: 'clusters', filter: ['pairs'] },
    clusters_query: { tokenizer: 'clusters', filter: ['pairs_query'] },
  },
} as const;
