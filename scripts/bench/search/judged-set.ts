/**
 * The judged set of `npm run bench -- search`: queries, and for each the videos that were made for it with their grades.
 * A grade follows from how the video was made, before anything was searched:
 *   3  it is about what is asked: all of it is what the video says it is
 *   2  what is asked is a good part of it: one field of several, or several sentences
 *   1  it touches what is asked: one word of two, one remark, the same subject
 *   0  a trap: the same words without the meaning, a word that only looks alike
 * All other videos are grade 0 for it. Nobody's ranking was looked at while grading.
 */

/** What a video was made with; the rest of it is filled from the background, which has none of the asked words. */
export type Made = {
  readonly title?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly topics?: readonly string[];
  readonly sport?: string;
  /** Language of title and summary; English where none is named. */
  readonly language?: string;
  /** Sentences by language. */
  readonly spoken?: Readonly<Record<string, readonly string[]>>;
  readonly screen?: readonly string[];
};
export type Judged = readonly [grade: 0 | 1 | 2 | 3, made: Made];
export type JudgedQuery = {
  readonly kind: string;
  readonly query: string;
  readonly language?: string;
  readonly judged: readonly Judged[];
};

/** One query of the set. */
export const asks = (kind: string, query: string, ...judged: readonly Judged[]): JudgedQuery => ({
  kind,
  query,
  judged,
});
