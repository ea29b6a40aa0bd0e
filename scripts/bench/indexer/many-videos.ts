/** Many small but plausible videos: Zipf-distributed words, sentences in two languages, 2 to 4 KB each. */
import { seeded, type Seeded } from './background.ts';
import type { Made } from './background.ts';

const sports = 'tennis soccer basketball cricket golf boxing rugby cycling swimming skiing surfing climbing'.split(' ');
const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo ya zu bra cle dri flo gru sta'.split(' ');
const VOCABULARY_SIZE = 30_000;

export function manyVideos(seed: number) {
  const random = seeded(seed);
  return {
    next: (): Required<Made> => ({
      title: words(random, 6, ''),
      summary: words(random, 25, ''),
      tags: words(random, 4, '').split(' '),
      topics: words(random, 4, '').split(' '),
      sport: random.pick(sports),
      language: random.pick(['en', 'en', 'es', 'fr']),
      spoken: { en: sentences(random, 12, ''), es: sentences(random, 12, 'os') },
      screen: [words(random, 3, '').toUpperCase()],
    }),
    /** A query of one to three words that are not among the most frequent. */
    question: (): string =>
      Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => wordOf(20 + zipf(random), '')).join(' '),
    sport: (): string => random.pick(sports),
    /** From 0 to 1. */
    share: random.next,
  };
}

function words(random: Seeded, count: number, ending: string): string {
  return Array.from({ length: count }, () => wordOf(zipf(random), ending)).join(' ');
}

function sentences(random: Seeded, count: number, ending: string): string[] {
  return Array.from({ length: count }, () => `${words(random, 8, ending)}.`);
}

/** Word number n of an invented language, the same in every run. */
function wordOf(number: number, ending: string): string {
  let rest = number + syllables.length;
  let word = '';
  while (rest > 0) {
    word += syllables[rest % syllables.length] ?? '';
    rest = Math.floor(rest / syllables.length);
  }
  return word + ending;
}

/** Rank by Zipf's law with exponent 1, by inverting its cumulative distribution. */
function zipf(random: Seeded): number {
  return Math.floor(Math.exp(random.next() * Math.log(VOCABULARY_SIZE))) - 1;
}
