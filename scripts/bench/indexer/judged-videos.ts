/** A complete, numbered judged set: the judged videos and the background. */
import { fill, seeded } from './background.ts';
import { idOf } from './bench-index.ts';
import type { Made } from './background.ts';
import type { JudgedSet } from './judged-set.ts';

type JudgedVideo = { readonly number: number; readonly video: Required<Made>; readonly publishedAt: Date };
type Graded = { readonly kind: string; readonly query: string; readonly grades: ReadonlyMap<string, number> };

/** The number of background videos. */
const BACKGROUND_COUNT = 320;
const HOUR_MS = 3_600_000;

/** Every query of a set with the grades of the videos that were written for it, and all of the set's videos. */
export function corpusOf({ queries, backdrop, seeds }: JudgedSet) {
  const [random, aroundThem] = [seeded(seeds[0]), seeded(seeds[1])];
  const judged: JudgedVideo[] = [];
  const graded = queries.map(({ kind, query, judged: made }): Graded => {
    const grades = new Map<string, number>();
    for (const { grade, video } of made) {
      const number = judged.length;
      judged.push({ number, video: fill(random, backdrop, video), publishedAt: publishedAt(random) });
      grades.set(idOf(number), grade);
    }
    return { kind, query, grades };
  });
  const around = Array.from({ length: BACKGROUND_COUNT }, (_empty, at): JudgedVideo => ({
    number: judged.length + at,
    video: fill(aroundThem, backdrop),
    publishedAt: publishedAt(aroundThem),
  }));
  return { graded, videos: [...judged, ...around] };
}

/** Spread over the last two months, independent of the grade. */
function publishedAt(random: ReturnType<typeof seeded>): Date {
  return new Date(Date.now() - random.next() * 1_440 * HOUR_MS);
}
