/** How videos are ranked. Each number is one opinion, and all are here. */

/** How much a field counts; found by trying (`npm run bench -- search`). */
export const weights = {
  title: 4,
  topics: 3,
  tags: 3,
  summary: 2,
  screen: 1.5,
  text: 1.5,
  preferredText: 2.4,
} as const;
/** What a word adds for being there at all, wherever: an answer to the whole question beats one word in a title. */
export const presence = {
  exact: 40,
  begun: 24,
  nearly: 8,
} as const;
/** Share of a field's weight for a word that is nearly the same, or only begins so, and for two words in a row. */
export const shares = {
  typo: 0.25,
  prefix: 0.5,
  pair: 0.6,
  otherFields: 0.2,
  stopWord: 0.05,
} as const;
/** What is added to a score of 1. */
export const extras = { fresh: 0.12, sport: 0.2, language: 0.1 } as const;
