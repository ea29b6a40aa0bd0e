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
