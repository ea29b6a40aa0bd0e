/**
 * The judged sets of `npm run bench -- search`: queries, each with the videos that were written for it and their
 * grades. A grade follows from how the video was written, not from any ranking:
 *   3  the video is about all that the query names
 *   2  a good part of the video is about it: one field of several, or several sentences
 *   1  the video touches it: one word of two, one remark, the same subject
 *   0  a trap: the same words with another meaning, or a similar word
 * All other videos are grade 0 for it.
 *
 * There are two sets. The weights of the indexer's `ranking.ts` were tuned on the first (`judged/chosen-on.json`), so
 * its figure shows how well they fit that set, not how they perform on unseen queries. The second
 * (`judged/held-out.json`) has other words and, for the most part, other sports and languages. It was written before
 * its ranking was examined, and no weight was tuned on it. Changing a weight after seeing its figures turns it into a
 * tuning set, and requires a new held-out one.
 * Both were written by the authors of the search, in one style: neither represents the queries of a real audience.
 */
import { readFileSync } from 'node:fs';
import type { Backdrop, Made } from './background.ts';

export type Judged = { readonly grade: 0 | 1 | 2 | 3; readonly video: Made };
export type JudgedQuery = {
  readonly kind: string;
  readonly query: string;
  readonly judged: readonly Judged[];
};

export type JudgedSet = {
  readonly name: string;
  readonly queries: readonly JudgedQuery[];
  readonly backdrop: Backdrop;
  /** One for the judged videos, one for the background. */
  readonly seeds: readonly [judged: number, around: number];
};

export const chosenOn = readSet('chosen-on');
export const heldOut = readSet('held-out');

function readSet(name: string): JudgedSet {
  return JSON.parse(readFileSync(new URL(`judged/${name}.json`, import.meta.url), 'utf8')) as JudgedSet;
}
