/**
 * The judged set of `npm run bench -- metadata moments`: made games with known moments between decoys. What happens is
 * drawn by a seed; commentators of the two halves use other sentences (judged/lines.json).
 */
import { readFileSync } from 'node:fs';

/** Only the held-out part decides; weights and thresholds are tuned on the other. */
export type Part = 'tuning' | 'held-out';
type Lines = Readonly<Record<'goal' | 'near' | 'calm' | 'past' | 'replay' | 'advert', readonly string[]>>;

/** Times are seconds from what happens. */
export type Happening = {
  readonly kind: (typeof moments)[number] | (typeof decoys)[number];
  readonly at: number;
  readonly crowd?: { readonly delay: number; readonly rise: number; readonly seconds: number };
  readonly line?: { readonly delay: number; readonly text: string; readonly loud: number };
  /** How much later the scoreboard shows a goal. */
  readonly scoreDelay?: number;
  readonly replay?: { readonly delay: number; readonly repeats: boolean; readonly line?: string };
  readonly fastCuts?: boolean;
};
export type Game = {
  readonly id: string;
  readonly part: Part;
  readonly language: string;
  readonly seconds: number;
  readonly happenings: readonly Happening[];
  readonly calm: readonly string[];
  readonly has: { readonly commentary: boolean; readonly scoreboard: boolean };
};

const moments = ['goal', 'quiet goal', 'chance'] as const;
const decoys = [
  ...(['crowd without cause', 'song', 'advertisement', 'talk of goals'] as const),
  ...(['replay of nothing', 'shout', 'other number', 'false alarm', 'archive'] as const),
] as const;

const lines = JSON.parse(readFileSync(new URL('judged/lines.json', import.meta.url), 'utf8')) as Readonly<
  Record<Part, Readonly<Record<string, Lines>>>
>;

const all = { commentary: true, scoreboard: true };
const kinds = [
  ...['en', 'es', 'de', 'fr', 'pt', 'it'].map((language) => ({ name: language, language, has: all })),
  { name: 'unspoken', language: 'en', has: { commentary: false, scoreboard: true } },
  { name: 'unscored', language: 'es', has: { commentary: true, scoreboard: false } },
];

/** Eight of each half. */
export const games: readonly Game[] = (['tuning', 'held-out'] as const).flatMap((part) =>
  kinds.map(({ name, ...kind }, index) =>
    makeGame({ ...kind, id: `${part} ${name}`, part }, 100 * index + part.length),
  ),
);

/** One of each half, shorter, of which files are made. */
export const filmed: readonly Game[] = [
  makeGame({ id: 'tuning filmed', part: 'tuning', language: 'en', has: all }, 901, { moments: 7, decoys: 5 }),
  makeGame({ id: 'held-out filmed', part: 'held-out', language: 'en', has: all }, 902, { moments: 7, decoys: 5 }),
  makeGame({ id: 'held-out filmed 2', part: 'held-out', language: 'en', has: all }, 903, { moments: 7, decoys: 5 }),
];

export function isMoment({ kind }: Happening): boolean {
  return (moments as readonly string[]).includes(kind);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const within = (from: number, to: number): number => from + (to - from) * next();
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  return { next, within, pick, chance: (share: number): boolean => next() < share };
}
export type Random = ReturnType<typeof randomOf>;

function makeGame(
  about: Pick<Game, 'id' | 'part' | 'language' | 'has'>,
  seed: number,
  counts?: { readonly moments: number; readonly decoys: number },
): Game {
  const random = randomOf(seed);
  const said = lines[about.part][about.language];
  if (!said) throw new Error(`no lines in ${about.language}`);
  const { moments: good = 8 + Math.floor(random.within(0, 4)), decoys: bad = decoys.length } = counts ?? {};
  const drawn = [
    ...Array.from({ length: good }, (_kind, index) => (index < 2 ? moments[index] : random.pick(moments)) ?? 'goal'),
    ...Array.from({ length: bad }, (_kind, index) => decoys[(index + seed) % decoys.length] ?? 'shout'),
  ]
    .map((kind) => ({ kind, order: random.next() }))
    .toSorted((a, b) => a.order - b.order);
  let at = 25;
  const happenings = drawn.map(({ kind }) => {
    const happening = happen(kind, at, said, random);
    at += (kind === 'song' ? 100 : 42) + random.within(0, counts ? 8 : 40);
    return happening;
  });
  return { ...about, seconds: Math.ceil(at + 20), happenings, calm: said.calm };
}

function happen(kind: Happening['kind'], at: number, said: Lines, random: Random): Happening {
  const { within, chance, pick } = random;
  const crowd = (from: number, to: number, least: number, most: number) => ({
    crowd: { delay: within(0, 2.5), rise: within(from, to), seconds: within(least, most) },
  });
  const line = (text: string, from: number, to: number) => ({
    line: { delay: within(0.5, 3), text, loud: within(from, to) },
  });
  const replay = (share: number) =>
    chance(share)
      ? { replay: { delay: within(10, 20), repeats: chance(0.6), ...(chance(0.4) && { line: pick(said.replay) }) } }
      : {};
  const goal = { scoreDelay: within(3, 18), ...replay(0.65), fastCuts: chance(0.6) };
  switch (kind) {
    case 'goal':
      return { kind, at, ...crowd(8, 16, 6, 18), ...line(pick(said.goal), 3, 8), ...goal };
    case 'quiet goal':
      return { kind, at, ...(chance(0.5) && crowd(1, 4, 3, 6)), ...line(pick(said.goal), 0, 5), ...goal };
    case 'chance':
      return { kind, at, ...crowd(6, 13, 3, 8), ...line(pick(said.near), 1, 7), ...replay(0.5) };
    case 'crowd without cause':
      return { kind, at, ...crowd(6, 14, 4, 15), ...line(pick(said.calm), -1, 2) };
    case 'song':
      return { kind, at, ...crowd(6, 10, 50, 80) };
    case 'advertisement':
      return { kind, at, ...line(pick(said.advert), 5, 9), fastCuts: true };
    case 'talk of goals':
      return { kind, at, ...line(pick(said.past), -1, 2) };
    case 'replay of nothing':
      return { kind, at, replay: { delay: within(8, 15), repeats: chance(0.6) } };
    case 'shout':
      return { kind, at, ...line(pick(said.calm), 4, 8) };
    case 'false alarm':
      return { kind, at, ...crowd(6, 12, 3, 8), ...line(pick(said.calm), 3, 7) };
    case 'archive':
      return { kind, at, ...crowd(3, 9, 4, 8), ...line(pick(said.past), 0, 4), replay: { delay: 9, repeats: true } };
    case 'other number':
      return { kind, at };
  }
}
