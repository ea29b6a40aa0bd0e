/**
 * The words of a question as OpenSearch reads them. Each word is looked for in every field, and its best field counts: so
 * the words of one question may lie in title, tags and speech. What users write is only ever the text of a `match`, never
 * syntax. The number of clauses is bounded, because OpenSearch refuses more than 1,024.
 */
import { fieldsFor, type LanguageField } from './languages.ts';
import type { Filters } from './filters.ts';
import { presence, shares, weights } from './ranking.ts';
import { isStopWord } from './stop-words.ts';
import { tokenize, type Token } from './tokenize.ts';

/** Languages that live videos have; only their fields are asked. */
export type Present = {
  readonly titles: readonly LanguageField[];
  readonly texts: readonly LanguageField[];
};

export type Asked = {
  readonly query: string;
  readonly filters: Filters;
  /** Field of the language that counts for more. */
  readonly preferred: LanguageField | undefined;
  /** The same language as the video's captions name it. */
  readonly language: string | undefined;
  readonly present: Present;
  /** Words that hardly any video has: for these, nearly the same ones count too. Undefined: not looked up yet. */
  readonly rare: readonly string[] | undefined;
  /** Freshness is counted from here, so that it does not move while pages are turned. */
  readonly at: Date;
};

const clauseBudget = 480;
const pairBudget = 200;
const typoBudget = 200;
const typoExpansions = 5;
const mostWords = 32;

type Chosen = {
  readonly word: Token;
  readonly fields: readonly string[];
  /** Whether nearly the same words count too. */
  readonly typo: boolean;
  /** A word that says little, among others. */
  readonly weak: boolean;
};

/** Words in which there may be a typing error, each with the query of the live videos that have it as it is. */
export function doubtfulWords(asked: Asked): readonly { readonly text: string; readonly query: object }[] {
  return choose({ ...asked, rare: undefined })
    .filter(({ typo }) => typo)
    .map((each) => ({
      text: each.word.text,
      query: { bool: { filter: [{ term: { live: true } }, exact(each)] } },
    }));
}

/** The first words, as many as the budget allows. */
function choose(asked: Asked): readonly Chosen[] {
  const words = tokenize(asked.query).slice(0, mostWords);
  const allWeak = words.every(({ text }) => isStopWord(text));
  const chosen: Chosen[] = [];
  let clauses = 0;
  let typos = 0;
  for (const word of words) {
    const fields = fieldsOf(word.text, asked);
    clauses += fields.length * word.terms;
    if (clauses > clauseBudget && chosen.length > 0) break;
    const weak = !allWeak && isStopWord(word.text);
    const { length } = [...word.text];
    const cost = fields.length * typoExpansions;
    const doubtful = asked.rare === undefined || asked.rare.includes(word.text);
    const typo = doubtful && !word.running && !weak && length >= 4 && length <= 32 && typos + cost <= typoBudget;
    if (typo) typos += cost;
    chosen.push({ word, fields, typo, weak });
  }
  return chosen;
}

function fieldsOf(word: string, { present, preferred }: Asked): string[] {
  const titles = fieldsFor(word, present.titles);
  const texts = fieldsFor(word, present.texts);
  return [
    `title^${weights.title}`,
    `topics^${weights.topics}`,
    `tags^${weights.tags}`,
    `summary^${weights.summary}`,
    `screen^${weights.screen}`,
    ...perLanguage('title_in', titles, weights.title),
    ...perLanguage('summary_in', titles, weights.summary),
    ...texts.map((field) => `text.${field}^${field === preferred ? weights.preferredText : weights.text}`),
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

function exact({ word, fields }: Chosen): object {
  return {
    multi_match: {
      query: word.text,
      fields,
      type: 'best_fields',
      tie_breaker: shares.otherFields,
      minimum_should_match: '2<70%',
    },
  };
}

/** What is to be found and marked, without filters. Undefined when the question has no word at all. */
export function wordsQuery(asked: Asked, typos: boolean): object | undefined {
  const chosen = choose(asked);
  if (chosen.length === 0) return undefined;
  const clause = (each: Chosen): object => wordClause(each, each === chosen.at(-1), typos);
  const strong = chosen.filter(({ weak }) => !weak).map(clause);
  const weak = chosen.filter((each) => each.weak).map(clause);
  const must = [{ bool: { should: strong, minimum_should_match: '1<60%' } }];
  return { bool: { must, should: [...weak, ...pairsOf(chosen)] } };
}

function wordClause(chosen: Chosen, isLast: boolean, typos: boolean): object {
  if (chosen.weak) return { dis_max: { queries: [exact(chosen)], boost: shares.stopWord } };
  return {
    dis_max: {
      queries: [
        present(exact(chosen), presence.exact),
        ...(typos && chosen.typo ? [present(nearly(chosen), presence.nearly)] : []),
        ...(isLast && chosen.word.text.length >= 2 ? [present(begun(chosen), presence.begun)] : []),
      ],
    },
  };
}

function nearly({ word, fields }: Chosen): object {
  return {
    multi_match: {
      query: word.text,
      fields,
      type: 'best_fields',
      fuzziness: 'AUTO',
      prefix_length: 1,
      max_expansions: typoExpansions,
      boost: shares.typo,
    },
  };
}

function begun({ word }: Chosen): object {
  return {
    multi_match: {
      query: word.text,
      type: 'bool_prefix',
      fields: [`title^${weights.title}`, `topics^${weights.topics}`, `tags^${weights.tags}`],
      boost: shares.prefix,
    },
  };
}

/** Words that follow each other in the question, with the weak ones between them, and do so in the video too. */
function pairsOf(chosen: readonly Chosen[]): object[] {
  const strong = chosen.flatMap(({ weak }, at) => (weak ? [] : [at]));
  const pairs: object[] = [];
  let clauses = 0;
  for (const [nth, at] of strong.entries()) {
    const { fields = [] } = chosen[at] ?? {};
    const next = strong[nth + 1];
    clauses += fields.length;
    if (next === undefined || clauses > pairBudget) break;
    const query = chosen
      .slice(at, next + 1)
      .map(({ word }) => word.text)
      .join(' ');
    pairs.push({ multi_match: { query, type: 'phrase', slop: 1, fields, boost: shares.pair } });
  }
  return pairs;
}
