/**
 * A year of viewers with known tastes, made by a seeded generator: the same in every run.
 *
 * - 40 tastes, in 12 sports. 3,000 videos appear evenly over the year, each of one taste, by one of 150 publishers, whose
 *   sizes are by Zipf and who each have one taste or two. A video has a quality (log-normal, sigma 1), a duration of 15 s to an
 *   hour, and one of four languages with words of their own. Of a title's six words two are of the taste in that language; of
 *   four tags and four topics one each; of a summary's words a fifth, of speech a tenth. The others are common words. Six of ten
 *   name their sport.
 * - 6,000 viewers have two or three tastes each, unequally, and watch 20 to 100 videos in the year, in sessions of one taste.
 *   A video of that taste that has appeared is chosen by its quality, halved every 20 days of its age down to a tenth; one of
 *   six is chosen in the same way among all videos, whatever the taste. Nobody watches a video twice. Of a video of their taste they
 *   watch a third to all, of others a fiftieth to a half.
 *
 * The last four weeks are left out of what is learned. The first video that a viewer watches in them, of those that had appeared
 * before, is what a recommendation at their beginning should have had: hit rate at ten. Weights may be chosen by viewers of even
 * number; those of odd number are the held-out part. Nothing of the generator's tastes is known to anything but this file.
 */
import { seeded, type Seeded } from '../indexer/seeded.ts';

const DAY = 86_400_000;
export const YEAR_DAYS = 364;
export const HELD_OUT_DAYS = 28;
const [TASTES, VIDEOS, PUBLISHERS, VIEWERS] = [40, 3_000, 150, 6_000];
const sports = 'tennis soccer basketball cricket golf boxing rugby cycling swimming skiing surfing climbing'.split(' ');
const languages = ['en', 'es', 'fr', 'de'];
const consonants = 'bdfgjklmnprstvz';
const vowels = 'aeiou';

export type SimulatedVideo = {
  readonly number: number;
  readonly taste: number;
  readonly publisher: string;
  readonly quality: number;
  readonly publishedAt: number;
  readonly durationMs: number;
  readonly made: {
    readonly title: string;
    readonly summary: string;
    readonly tags: string[];
    readonly topics: string[];
    readonly sport: string | undefined;
    readonly language: string;
    readonly spoken: string[];
  };
};
export type Watch = { readonly viewer: number; readonly video: number; readonly at: number; readonly share: number };
export type SimulatedYear = {
  readonly videos: readonly SimulatedVideo[];
  /** In the order of time. */
  readonly watched: readonly Watch[];
};

/** @param end of the year, in milliseconds */
export function simulateYear(end: number, seed = 48): SimulatedYear {
  const random = seeded(seed);
  const videos = makeVideos(random, end - YEAR_DAYS * DAY);
  const byTaste = Array.from({ length: TASTES }, (_none, taste) => videos.filter((video) => video.taste === taste));
  const watched = Array.from({ length: VIEWERS }, (_none, viewer) =>
    watchAll(random, viewer, videos, byTaste, end),
  ).flat();
  return { videos, watched: watched.toSorted((a, b) => a.at - b.at) };
}

function makeVideos(random: Seeded, begin: number): SimulatedVideo[] {
  const publishers = Array.from({ length: PUBLISHERS }, () => {
    const one = Math.floor(random.next() * TASTES);
    return [one, random.next() < 0.5 ? one : Math.floor(random.next() * TASTES)];
  });
  return Array.from({ length: VIDEOS }, (_none, number) => {
    const publisher = Math.floor(Math.exp(random.next() * Math.log(PUBLISHERS))) - 1;
    const taste = random.pick(publishers[publisher] ?? [0]);
    return {
      ...{ number, taste, publisher: `pub${publisher}`, quality: Math.exp(gauss(random)) },
      publishedAt: begin + (number / VIDEOS) * YEAR_DAYS * DAY,
      durationMs: Math.round(15_000 * 240 ** random.next()),
      made: describe(random, taste),
    };
  });
}

function describe(random: Seeded, taste: number): SimulatedVideo['made'] {
  const language = random.pick(languages);
  const salt = languages.indexOf(language) + 1;
  const ofTaste = (): string => wordOf(salt * 100_000 + taste * 100 + Math.floor(random.next() * 30));
  const common = (): string => wordOf(salt * 10_000 + Math.floor(Math.exp(random.next() * Math.log(3_000))));
  const words = (count: number, share: number): string[] =>
    Array.from({ length: count }, () => (random.next() < share ? ofTaste() : common()));
  return {
    title: [ofTaste(), ...words(4, 0), ofTaste()].join(' '),
    summary: words(20, 0.2).join(' '),
    tags: [ofTaste(), ...words(3, 0)],
    topics: [ofTaste(), ...words(3, 0)],
    sport: random.next() < 0.6 ? sports[taste % sports.length] : undefined,
    language,
    spoken: Array.from({ length: 10 }, () => `${words(8, 0.1).join(' ')}.`),
  };
}

type Taste = { readonly taste: number; readonly weight: number };

function watchAll(
  random: Seeded,
  viewer: number,
  videos: readonly SimulatedVideo[],
  byTaste: readonly (readonly SimulatedVideo[])[],
  end: number,
): Watch[] {
  const tastes: Taste[] = Array.from({ length: 2 + Math.floor(random.next() * 2) }, () => ({
    ...{ taste: Math.floor(random.next() * TASTES), weight: 0.2 + random.next() },
  }));
  const count = 20 + Math.floor(random.next() * 81);
  const times = Array.from({ length: count }, () => end - random.next() * YEAR_DAYS * DAY).toSorted((a, b) => a - b);
  const seen = new Set<number>();
  let taste = weighted(random, tastes, ({ weight }) => weight);
  return times.flatMap((at): Watch[] => {
    if (random.next() < 0.4) taste = weighted(random, tastes, ({ weight }) => weight);
    const anything = random.next() < 1 / 6;
    const from = anything ? random.some(videos, 100) : (byTaste[taste?.taste ?? 0] ?? []);
    const open = from.filter(({ number, publishedAt }) => publishedAt <= at && !seen.has(number));
    const video = weighted(
      random,
      open,
      (one) => one.quality * Math.max(0.1, 2 ** (-(at - one.publishedAt) / (20 * DAY))),
    );
    if (!video) return [];
    seen.add(video.number);
    const isOfTaste = tastes.some((one) => one.taste === video.taste);
    const share = isOfTaste ? 1 / 3 + (2 / 3) * random.next() : 0.02 + 0.48 * random.next();
    return [{ viewer, video: video.number, at, share }];
  });
}

function weighted<T>(random: Seeded, items: readonly T[], weightOf: (item: T) => number): T | undefined {
  const weights = items.map(weightOf);
  let rest = random.next() * weights.reduce((total, one) => total + one, 0);
  return items[weights.findIndex((weight) => (rest -= weight) < 0)] ?? items.at(-1);
}

function gauss(random: Seeded): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** Word number n of invented languages: syllables of a consonant and a vowel. */
function wordOf(number: number): string {
  let [rest, word] = [number, ''];
  while (rest > 0) {
    const syllable = rest % 75;
    word += `${consonants[Math.floor(syllable / 5)] ?? ''}${vowels[syllable % 5] ?? ''}`;
    rest = Math.floor(rest / 75);
  }
  return word;
}
