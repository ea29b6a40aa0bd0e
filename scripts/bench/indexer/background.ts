/**
 * Unjudged videos, among which the judged ones are searched; and the text that fills the unjudged fields of judged
 * ones.
 */

/**
 * The given fields of a video; the others are filled from the background, which contains almost none of the query's
 * words.
 */
export type Made = {
  readonly title?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly topics?: readonly string[];
  readonly sport?: string;
  /** Language of title and summary; English by default. */
  readonly language?: string;
  /** Sentences by language. */
  readonly spoken?: Readonly<Record<string, readonly string[]>>;
  readonly screen?: readonly string[];
};

export type Seeded = ReturnType<typeof seeded>;

/** The vocabulary of such videos. */
export type Backdrop = {
  readonly clubs: readonly string[];
  readonly kinds: readonly string[];
  readonly sports: readonly string[];
  readonly topics: readonly string[];
  readonly summaries: readonly string[];
  /** Each the same remark in all of `languages`. */
  readonly remarks: readonly Readonly<Record<string, string>>[];
  readonly languages: readonly string[];
  readonly boards: readonly string[];
};

/** A small seeded generator (mulberry32), so that every run has the same videos. */
export function seeded(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  return {
    next,
    pick,
    some: <T>(items: readonly T[], count: number): T[] => Array.from({ length: count }, () => pick(items)),
  };
}

/** A complete video around the given fields. */
export function fill(random: Seeded, backdrop: Backdrop, made: Made = {}): Required<Made> {
  return {
    title:
      made.title ?? `${random.pick(backdrop.clubs)} v ${random.pick(backdrop.clubs)}: ${random.pick(backdrop.kinds)}`,
    summary: made.summary ?? random.pick(backdrop.summaries),
    tags: [...(made.tags ?? []), ...random.some(backdrop.clubs, 2)],
    topics: [...(made.topics ?? []), ...random.some(backdrop.topics, 2)],
    sport: made.sport ?? random.pick(backdrop.sports),
    language: made.language ?? 'en',
    spoken: around(random, backdrop, made.spoken ?? {}),
    screen: [...(made.screen ?? []), ...random.some(backdrop.boards, 2)],
  };
}

/** Sentences before and after those to be found. */
function around(
  random: Seeded,
  { remarks, languages }: Backdrop,
  spoken: NonNullable<Made['spoken']>,
): NonNullable<Made['spoken']> {
  const lines = random.some(remarks, 4 + Math.floor(random.next() * 12));
  const all = [...new Set([...languages, ...Object.keys(spoken)])];
  return Object.fromEntries(
    all.map((language) => {
      const filler = lines.flatMap((line) => line[language] ?? []);
      const middle = Math.floor(filler.length / 2);
      return [language, [...filler.slice(0, middle), ...(spoken[language] ?? []), ...filler.slice(middle)]];
    }),
  );
}
