/**
 * The queries of a search: one that retrieves the first thousand, of clauses that OpenSearch can skip blocks of, and one
 * that orders these by all weights. Each word is matched in every field, and its best field counts: so the words of one
 * query may be in title, tags and speech. User input is only ever the text of a `match`, never syntax. The number of
 * clauses is bounded, because OpenSearch rejects more than 1,024.
 */
import { fieldsFor, hasClusters, type LanguageField } from './languages.ts';
import { normalizeText } from './normalize-text.ts';
import { filterClauses, sports, type Filters } from './filters.ts';
import { extras, NAMED, presence, retrieving, shares, weights, type Weights } from './ranking.ts';
import { isStopWord, tokenize, type Token } from './tokenize.ts';

/** Languages that live videos have; only their fields are queried. */
export type Present = {
  readonly titles: readonly LanguageField[];
  readonly texts: readonly LanguageField[];
};

export type SearchInput = {
  readonly query: string;
  readonly filters: Filters;
  /** Field of the language that is preferred. */
  readonly preferred: LanguageField | undefined;
  /** The same language as in the videos' `caption_languages`. */
  readonly language: string | undefined;
  readonly present: Present;
  /** Words that hardly any video has: for these, similar words match too. Undefined: not counted yet. */
  readonly rare: readonly string[] | undefined;
  /** The reference time of freshness, so that it does not change from page to page. */
  readonly at: Date;
};

const CLAUSE_BUDGET = 480;
const PAIR_BUDGET = 200;
const TYPO_BUDGET = 200;
const TYPO_EXPANSIONS = 5;
const MAX_WORDS = 32;
const typos = { fuzziness: 'AUTO', prefix_length: 1, max_expansions: TYPO_EXPANSIONS } as const;

const givenFields = ['title', 'topics', 'tags', 'summary'] as const;
const namingFields = ['title', 'topics', 'tags'] as const;
/** Name of the clause of hits whose title, topic or tag has the query as a phrase. */
export const NAMED_CLAUSE = 'named';

type Chosen = {
  readonly word: Token;
  readonly fields: readonly string[];
  /** Whether similar words match too. */
  readonly typo: boolean;
  /** A stop word among other words. */
  readonly weak: boolean;
};

/**
 * Fields that snippets of a hit are taken from.
 * @param text the language of its speech, if any: other transcripts are not read
 */
export function shownFields(
  { query, present: { titles } }: SearchInput,
  text: LanguageField | undefined,
): readonly string[] {
  return [
    ...['title', 'topics', 'tags', 'summary', 'screen'],
    ...givenFields.map((field) => `${field}.solid`),
    ...(hasClusters(query) ? givenFields.map((field) => `${field}.clusters`) : []),
    ...titles.flatMap((field) => [`title_in.${field}`, `summary_in.${field}`]),
    ...(text === undefined ? [] : [`text.${text}`]),
  ];
}

/** A query for each language of speech, with its name: which of them have a word, without reading a transcript. */
export function speechQueries(input: SearchInput): readonly object[] {
  const chosen = choose(input).filter(({ weak }, _at, all) => !weak || all.every((each) => each.weak));
  return input.present.texts.flatMap((language) => {
    const field = `text.${language}`;
    const ofWord = ({ word, fields, typo }: Chosen): object[] =>
      fields.some((one) => one.startsWith(`${field}^`))
        ? [word.text, word.whole ?? '']
            .filter((text) => text !== '')
            .map((query) => ({ match: { [field]: { query, ...(typo && typos) } } }))
        : [];
    const should = chosen.flatMap(ofWord);
    return should.length === 0 ? [] : [{ bool: { should, _name: language } }];
  });
}

/**
 * Retrieves: block-max WAND (https://doi.org/10.1145/2009916.2010048) skips what cannot be among the first thousand, as
 * no function scores a hit. Undefined when the input has no word at all.
 */
export function retrievingQuery(input: SearchInput): object | undefined {
  const chosen = choose(input, retrieving);
  if (chosen.length === 0) return undefined;
  const should = chosen
    .filter(({ weak }) => !weak)
    .map((each) => ({
      dis_max: { queries: waysOf(each, each === chosen.at(-1), true, retrieving).map(({ query }) => query) },
    }));
  const words = { bool: { should, minimum_should_match: '1<60%' } };
  const named = { constant_score: { filter: asName(input.query), boost: NAMED, _name: NAMED_CLAUSE } };
  return {
    bool: {
      filter: filterClauses(input.filters),
      must: [words],
      should: tokenize(input.query).length <= MAX_WORDS ? [named] : [],
    },
  };
}

/** Orders what was retrieved. */
export function orderingQuery(input: SearchInput): object | undefined {
  const query = wordsQuery(input, true);
  return (
    query && { function_score: { query, functions: functionsOf(input), score_mode: 'sum', boost_mode: 'multiply' } }
  );
}

/** The query as a phrase in a title, topic or tag. */
function asName(query: string): object {
  const suffixes = ['', '.solid', ...(hasClusters(query) ? ['.clusters'] : [])];
  const fields = namingFields.flatMap((field) => suffixes.map((suffix) => `${field}${suffix}`));
  return { multi_match: { query: normalizeText(query), type: 'phrase', fields } };
}

function functionsOf({ query, language, at }: SearchInput): object[] {
  const named = sportsIn(query);
  const fresh = { published_at: { origin: at.toISOString(), scale: '30d', decay: 0.5 } };
  return [
    { weight: 1 },
    { weight: extras.fresh, exp: fresh },
    ...(named.length > 0 ? [{ weight: extras.sport, filter: { terms: { sport: named } } }] : []),
    ...(language === undefined ? [] : [{ weight: extras.language, filter: { term: { caption_languages: language } } }]),
  ];
}

/** Sports that the input names, so that "ice hockey" prefers videos of that sport. */
export function sportsIn(query: string): string[] {
  const plain = ` ${normalizeText(query)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return sports.filter((sport) => plain.includes(` ${sport.replaceAll('_', ' ')} `));
}

/** Words that may be misspelled, each with the query that counts the videos with that exact word (a tombstone has none). */
export function checkedWords(input: SearchInput): readonly { readonly text: string; readonly query: object }[] {
  return choose({ ...input, rare: undefined })
    .filter(({ typo }) => typo)
    .map((each) => ({
      text: each.word.text,
      query: exact(each),
    }));
}

/** The first words, as many as the budget allows. */
function choose(input: SearchInput, by: Weights = weights): readonly Chosen[] {
  const words = tokenize(input.query).slice(0, MAX_WORDS);
  const allWeak = words.every(({ text }) => isStopWord(text));
  const chosen: Chosen[] = [];
  let clauses = 0;
  let expansions = 0;
  for (const word of words) {
    const fields = fieldsOf(word.text, input, by);
    clauses += (fields.length + givenFields.length) * word.terms;
    if (clauses > CLAUSE_BUDGET && chosen.length > 0) break;
    const weak = !allWeak && isStopWord(word.text);
    const { length } = [...word.text];
    const cost = fields.length * TYPO_EXPANSIONS;
    const mayBeTypo = input.rare === undefined || input.rare.includes(word.text);
    const typo = mayBeTypo && !word.running && !weak && length >= 4 && length <= 32 && expansions + cost <= TYPO_BUDGET;
    if (typo) expansions += cost;
    chosen.push({ word, fields, typo, weak });
  }
  return chosen;
}

function fieldsOf(word: string, { present, preferred }: SearchInput, by: Weights): string[] {
  const titles = fieldsFor(word, present.titles);
  const texts = fieldsFor(word, present.texts);
  return [
    ...givenFields.map((field) => `${field}^${by[field]}`),
    ...(hasClusters(word) ? givenFields.map((field) => `${field}.clusters^${by[field]}`) : []),
    `screen^${by.screen}`,
    ...perLanguage('title_in', titles, by.title),
    ...perLanguage('summary_in', titles, by.summary),
    ...texts.map((field) => `text.${field}^${field === preferred ? by.preferredText : by.text}`),
  ];
}

function present(query: object, weight: number): object {
  return {
    function_score: { query, functions: [{ weight }], boost_mode: 'sum' },
  };
}

function perLanguage(name: string, fields: readonly LanguageField[], weight: number): string[] {
  return fields.map((field) => `${name}.${field}^${weight}`);
}

/** @param otherFields share of the fields that are not the best; with any, OpenSearch skips no block within a field */
function exact(chosen: Chosen, otherFields: number = shares.otherFields): object {
  return bestFields(chosen, { tie_breaker: otherFields, minimum_should_match: '2<70%' });
}

function bestFields({ word, fields }: Chosen, more: object): object {
  return { multi_match: { query: word.text, fields, type: 'best_fields', ...more } };
}

/** The query for matching and highlighting, without filters. Undefined when the input has no word at all. */
export function wordsQuery(input: SearchInput, withTypos: boolean): object | undefined {
  const chosen = choose(input);
  if (chosen.length === 0) return undefined;
  const clause = (each: Chosen): object => wordClause(each, each === chosen.at(-1), withTypos);
  const strong = chosen.filter(({ weak }) => !weak).map(clause);
  const weak = chosen.filter((each) => each.weak).map(clause);
  const must = [{ bool: { should: strong, minimum_should_match: '1<60%' } }];
  return { bool: { must, should: [...weak, ...pairsOf(chosen)] } };
}

function wordClause(chosen: Chosen, isLast: boolean, withTypos: boolean): object {
  if (chosen.weak) return { dis_max: { queries: [exact(chosen)], boost: shares.stopWord } };
  const queries = waysOf(chosen, isLast, withTypos, weights).map(({ query, how }) => present(query, presence[how]));
  return { dis_max: { queries } };
}

type Way = { readonly query: object; readonly how: keyof typeof presence };

/** The ways in which a video can have a word. */
function waysOf(chosen: Chosen, isLast: boolean, withTypos: boolean, by: Weights): Way[] {
  const otherFields = by === retrieving ? 0 : shares.otherFields;
  return [
    { query: exact(chosen, otherFields), how: 'exact' },
    ...wholeOf(chosen).map((whole): Way => ({ query: exact(whole, otherFields), how: 'exact' })),
    ...(chosen.word.running ? [] : [{ query: solid(chosen, by), how: 'exact' } as const]),
    ...(withTypos && chosen.typo ? [{ query: similar(chosen), how: 'similar' } as const] : []),
    ...(isLast && chosen.word.text.length >= 2 ? [{ query: startsWith(chosen, by), how: 'prefix' } as const] : []),
  ];
}

/** The word with marks between its parts, such as `U-17`. */
function solid({ word }: Chosen, by: Weights): object {
  const fields = givenFields.map((field) => `${field}.solid^${by[field]}`);
  return { multi_match: { query: word.text, fields, type: 'best_fields' } };
}

/** The longer word that it is a part of, if it is: only that is in the index. */
function wholeOf({ word, ...chosen }: Chosen): Chosen[] {
  return word.whole === undefined ? [] : [{ ...chosen, word: { ...word, text: word.whole } }];
}

function similar(chosen: Chosen): object {
  return bestFields(chosen, { ...typos, boost: shares.typo });
}

function startsWith({ word }: Chosen, by: Weights): object {
  return {
    multi_match: {
      query: word.text,
      type: 'bool_prefix',
      fields: namingFields.map((field) => `${field}^${by[field]}`),
      boost: shares.prefix,
    },
  };
}

/** Phrases of two consecutive words, with the stop words between them. */
function pairsOf(chosen: readonly Chosen[]): object[] {
  const strong = chosen.flatMap(({ weak }, at) => (weak ? [] : [at]));
  const pairs: object[] = [];
  let clauses = 0;
  for (const [nth, at] of strong.entries()) {
    const { fields = [] } = chosen[at] ?? {};
    const next = strong[nth + 1];
    clauses += fields.length;
    if (next === undefined || clauses > PAIR_BUDGET) break;
    const query = chosen
      .slice(at, next + 1)
      .map(({ word }) => word.text)
      .join(' ');
    pairs.push({ multi_match: { query, type: 'phrase', slop: 1, fields, boost: shares.pair } });
  }
  return pairs;
}
