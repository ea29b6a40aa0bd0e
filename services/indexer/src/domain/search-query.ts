/** A search: its words, its filters, and what counts beside words. */
import { filterClauses, sports } from './filters.ts';
import { extras } from './ranking.ts';
import { wordsQuery, type Asked, type Present } from './query-clauses.ts';

/** Fields whose values are shown of a hit. */
export function shownFields({ titles, texts }: Present): readonly string[] {
  return [
    ...['title', 'topics', 'tags', 'summary', 'screen'],
    ...titles.flatMap((field) => [`title_in.${field}`, `summary_in.${field}`]),
    ...texts.map((field) => `text.${field}`),
  ];
}

/**
 * The whole query.
 * @param without ids that the pages before have shown
 */
export function searchQuery(asked: Asked, without: readonly string[]): object | undefined {
  const words = wordsQuery(asked, true);
  if (words === undefined) return undefined;
  const filter = filterClauses(asked.filters);
  const mustNot = without.length > 0 ? { must_not: [{ ids: { values: without } }] } : {};
  return {
    function_score: {
      query: { bool: { filter, must: [words], ...mustNot } },
      functions: functionsOf(asked),
      score_mode: 'sum',
      boost_mode: 'multiply',
    },
  };
}

function functionsOf({ query, language, at }: Asked): object[] {
  const named = sportsIn(query);
  const fresh = { published_at: { origin: at.toISOString(), scale: '30d', decay: 0.5 } };
  return [
    { weight: 1 },
    { weight: extras.fresh, exp: fresh },
    ...(named.length > 0 ? [{ weight: extras.sport, filter: { terms: { sport: named } } }] : []),
    ...(language === undefined ? [] : [{ weight: extras.language, filter: { term: { caption_languages: language } } }]),
  ];
}

/** Sports that the question names, so that "ice hockey" prefers videos of that sport. */
export function sportsIn(query: string): string[] {
  const plain = ` ${query.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')} `;
  return sports.filter((sport) => plain.includes(` ${sport.replaceAll('_', ' ')} `));
}
