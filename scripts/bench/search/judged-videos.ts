/** Both sets: the judged videos and those around them, whole and numbered. */
import { fill, seeded, type Backdrop } from './background.ts';
import { heldOutBackdrop } from './held-out-backdrop.ts';
import { heldOutSpeechQueries } from './held-out-speech.ts';
import { heldOutTitleQueries } from './held-out-titles.ts';
import { heldOutWordQueries } from './held-out-words.ts';
import { judgedBackdrop } from './judged-backdrop.ts';
import type { JudgedQuery, Made } from './judged-set.ts';
import { speechQueries } from './judged-speech.ts';
import { titleQueries } from './judged-titles.ts';
import { wordQueries } from './judged-words.ts';
import { idOf } from './shelf.ts';

type JudgedVideo = { readonly number: number; readonly video: Required<Made>; readonly publishedAt: Date };
type Graded = { readonly kind: string; readonly query: string; readonly grades: ReadonlyMap<string, number> };
export type JudgedSet = {
  readonly name: string;
  readonly queries: readonly JudgedQuery[];
  readonly backdrop: Backdrop;
  /** One for the judged videos, one for those around them. */
  readonly seeds: readonly [judged: number, around: number];
};

export const chosenOn: JudgedSet = {
  name: 'set that the weights were chosen on',
  queries: [...titleQueries, ...wordQueries, ...speechQueries],
  backdrop: judgedBackdrop,
  seeds: [7, 11],
};
export const heldOut: JudgedSet = {
  name: 'held-out set (no weight was chosen on it)',
  queries: [...heldOutTitleQueries, ...heldOutWordQueries, ...heldOutSpeechQueries],
  backdrop: heldOutBackdrop,
  seeds: [23, 29],
};

/** So many around the judged ones. */
const backgroundCount = 320;
const hourMs = 3_600_000;

/** Every query of a set with the grades of the videos that were made for it, and all of the set's videos. */
export function corpusOf({ queries, backdrop, seeds }: JudgedSet) {
  const [random, aroundThem] = [seeded(seeds[0]), seeded(seeds[1])];
  const judged: JudgedVideo[] = [];
  const graded = queries.map(({ kind, query, judged: made }): Graded => {
    const grades = new Map<string, number>();
    for (const [grade, given] of made) {
      const number = judged.length;
      judged.push({ number, video: fill(random, backdrop, given), publishedAt: publishedAt(random) });
      grades.set(idOf(number), grade);
    }
    return { kind, query, grades };
  });
  const around = Array.from({ length: backgroundCount }, (_empty, at): JudgedVideo => ({
    number: judged.length + at,
    video: fill(aroundThem, backdrop),
    publishedAt: publishedAt(aroundThem),
  }));
  return { graded, videos: [...judged, ...around] };
}

/** Over the last two months, without regard to grade. */
function publishedAt(random: ReturnType<typeof seeded>): Date {
  return new Date(Date.now() - random.next() * 1_440 * hourMs);
}
