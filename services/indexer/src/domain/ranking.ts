/** All weights of the ranking. */

/** Weights of fields; tuned with `npm run bench -- search`. */
export const weights = {
  title: 4,
  topics: 3,
  tags: 3,
  summary: 2,
  screen: 1.5,
  text: 1.5,
  preferredText: 2.4,
} as const;
export type Weights = Readonly<Record<keyof typeof weights, number>>;
/**
 * Weights of the same fields while the first thousand are retrieved: close to each other, so that a match of all words
 * in speech is among them beside many titles with one of the words.
 */
export const retrieving: Weights = {
  title: 1.3,
  topics: 1.2,
  tags: 1.2,
  summary: 1.1,
  screen: 1,
  text: 1,
  preferredText: 1.1,
} as const;
/** Added while retrieving for a title, topic or tag that has the query as a phrase. */
export const NAMED = 2;
/** Added for a word in any field: a match of all words beats one word in a title. */
export const presence = {
  exact: 40,
  prefix: 24,
  similar: 8,
} as const;
/** Share of a field's weight for a similar word, a prefix, and a phrase of two words. */
export const shares = {
  typo: 0.25,
  prefix: 0.5,
  pair: 0.6,
  otherFields: 0.2,
  stopWord: 0.05,
} as const;
/** Added to a score of 1. */
export const extras = { fresh: 0.12, sport: 0.2, language: 0.1 } as const;
/** How many hits a search has at most: so many are retrieved, and then ordered by all weights. */
export const DEPTH = 1_000;
/** How many of the videos nearest in meaning take part, and how much lower than the best's their similarity may be (0 to 1). */
export const nearest = { count: 50, within: 0.02 } as const;
