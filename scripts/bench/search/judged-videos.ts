/** The judged videos and those around them, whole and numbered. */
import { fill, seeded } from './background.ts';
import type { Made } from './judged-set.ts';
import { speechQueries } from './judged-speech.ts';
import { titleQueries } from './judged-titles.ts';
import { wordQueries } from './judged-words.ts';
import { idOf } from './shelf.ts';

export type JudgedVideo = { readonly number: number; readonly video: Required<Made>; readonly publishedAt: Date };
type Graded = { readonly kind: string; readonly query: string; readonly grades: ReadonlyMap<string, number> };

/** So many around the judged ones. */
const backgroundCount = 320;
const hourMs = 3_600_000;
/** Over the last two months, without regard to grade. */
const publishedAt = (random: ReturnType<typeof seeded>): Date => new Date(Date.now() - random.next() * 1_440 * hourMs);

/** Every query with the grades of the videos that were made for it. */
export const judgedQueries = (): { readonly videos: readonly JudgedVideo[]; readonly queries: readonly Graded[] } => {
  const random = seeded(7);
  const videos: JudgedVideo[] = [];
  const queries = [...titleQueries, ...wordQueries, ...speechQueries].map(({ kind, query, judged }): Graded => {
    const grades = new Map<string, number>();
    for (const [grade, made] of judged) {
      const number = videos.length;
      videos.push({ number, video: fill(random, made), publishedAt: publishedAt(random) });
      grades.set(idOf(number), grade);
    }
    return { kind, query, grades };
  });
  return { videos, queries };
};

/** @param first number of the first of them */
export const background = (first: number): readonly JudgedVideo[] => {
  const random = seeded(11);
  return Array.from({ length: backgroundCount }, (_empty, at) => ({
    number: first + at,
    video: fill(random),
    publishedAt: publishedAt(random),
  }));
};
