/**
 * What the judged sets of `npm run bench -- search` are made of: queries, and for each the videos that were made for it
 * with their grades. A grade follows from how the video was made, not from where any ranking puts it:
 *   3  it is about what is asked: all of it is what the video says it is
 *   2  what is asked is a good part of it: one field of several, or several sentences
 *   1  it touches what is asked: one word of two, one remark, the same subject
 *   0  a trap: the same words without the meaning, a word that only looks alike
 * All other videos are grade 0 for it.
 *
 * There are two sets. The weights of the indexer's `ranking.ts` were chosen with the first (`judged/chosen-on.json`) in
 * view, so its figure says how well they fit that set, not how they do on questions they have not seen. The second
 * (`judged/held-out.json`) has other words and, for the most part, other sports and languages. It was written before any ranking of it was looked
 * at, and no weight was chosen on it.
 * Whoever changes a weight after a look at its figures has made it another set of the first sort, and writes a new one.
 * Both were written by the makers of the search, in one manner: neither stands for what an audience asks.
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
  /** One for the judged videos, one for those around them. */
  readonly seeds: readonly [judged: number, around: number];
};

export const chosenOn = readSet('chosen-on');
export const heldOut = readSet('held-out');

function readSet(name: string): JudgedSet {
  return JSON.parse(readFileSync(new URL(`judged/${name}.json`, import.meta.url), 'utf8')) as JudgedSet;
}
