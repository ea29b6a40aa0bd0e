/** What the analysis would measure of a made game: noisy, partly misread, partly missed. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Analysis, AnalyzedShot, AnalyzedText } from '@vds/metadata/domain/analysis';
import type { Sentence, Transcript } from '@vds/metadata/domain/model';
import { randomOf, type Game, type Happening, type Random } from './made-games.ts';

const SECOND_MS = 1_000;
const REPLAY_SECONDS = 10;
const ADVERT_SECONDS = 18;
const PRINT_VALUES = 72;

export type Measured = {
  readonly durationMs: number;
  readonly analyses: readonly Analysis[];
  readonly transcript: Transcript | undefined;
};

export function simulate(game: Game): Measured {
  const random = randomOf(game.id.length * 7_919 + game.seconds);
  const durationMs = game.seconds * SECOND_MS;
  const spoken = sentencesOf(game, random);
  const { shots, prints } = picturesOf(game, random);
  const analysis: Analysis = {
    version: 1,
    span: { startMs: 0, endMs: durationMs },
    ...{ shots, prints, intervals: [] },
    texts: game.has.scoreboard ? textsOf(game, random) : [],
    seconds: secondsOf(game, spoken, random),
  };
  const sentences = spoken.map(({ loud: _loud, text, ...span }) => ({ ...span, text: misheard(text, random) }));
  return {
    ...{ durationMs, analyses: [analysis] },
    transcript: game.has.commentary ? { language: game.language, sentences } : undefined,
  };
}

export type Spoken = Sentence & { readonly loud: number };

/** The commentary: what belongs to what happens, and calm sentences between. */
export function sentencesOf({ happenings, calm, seconds }: Game, random: Random): Spoken[] {
  const said = (at: number, text: string, loud: number): Spoken => {
    const startMs = Math.round(at * SECOND_MS);
    return { startMs, endMs: startMs + 600 + 65 * text.length, text, loud };
  };
  const own = happenings.flatMap(({ at, line, replay }) => [
    ...(line ? [said(at + line.delay, line.text, line.loud)] : []),
    ...(replay?.line === undefined ? [] : [said(at + replay.delay + 1, replay.line, 0)]),
  ]);
  const between: Spoken[] = [];
  for (let at = 3; at < seconds - 8; at += random.within(7, 15)) {
    const sentence = said(at, random.pick(calm), random.within(-2, 2));
    if (own.every((other) => other.endMs + 400 < sentence.startMs || other.startMs > sentence.endMs + 400))
      between.push(sentence);
  }
  return [...own, ...between].toSorted((a, b) => a.startMs - b.startMs);
}

/** A speech engine loses some words and mishears others. */
function misheard(text: string, random: Random): string {
  return text
    .split(' ')
    .filter(() => !random.chance(0.06))
    .map((word) => (random.chance(0.06) ? `${word.slice(0, 2)}mer` : word))
    .join(' ');
}

/** By how many decibels the crowd is louder at a second. */
export function crowdRise(happenings: readonly Happening[], second: number): number {
  return Math.max(
    0,
    ...happenings.map(({ at, crowd }) => {
      if (!crowd) return 0;
      const since = second - at - crowd.delay;
      return since < 0 || since > crowd.seconds
        ? 0
        : crowd.rise * Math.min(1, (since + 1) / 2, crowd.seconds - since + 0.5);
    }),
  );
}

export function isAdvert(happenings: readonly Happening[], second: number): boolean {
  return happenings.some(({ kind, at }) => kind === 'advertisement' && second >= at && second < at + ADVERT_SECONDS);
}

function secondsOf({ happenings, seconds }: Game, spoken: readonly Spoken[], random: Random): AnalyzedSecond[] {
  const { within } = random;
  let drift = 0;
  return Array.from({ length: seconds }, (_second, second): AnalyzedSecond => {
    drift = Math.max(-3, Math.min(3, drift + within(-0.7, 0.7)));
    if (isAdvert(happenings, second))
      return [Math.round(within(-14, -10)), within(25, 40), within(30, 80), within(46, 70), within(0, 30)].map(Math.round) as unknown as AnalyzedSecond; // prettier-ignore
    const bed = -40 + drift + crowdRise(happenings, second) + within(-1, 1);
    const voice = spoken.find(
      ({ startMs, endMs }) => startMs < (second + 0.7) * SECOND_MS && endMs > (second + 0.3) * SECOND_MS,
    );
    if (!voice)
      return [Math.round(bed), Math.round(within(54, 59)), Math.round(within(5, 14)), Math.round(within(0, 7)), 0];
    const loudness = -21 + voice.loud + within(-1.5, 1.5);
    const level = 10 * Math.log10(10 ** (bed / 10) + 10 ** (loudness / 10));
    const above = level - bed;
    return [
      Math.round(level),
      Math.round(Math.max(41, 57 - above / 3.5) + within(-2, 2)),
      Math.round((above / 0.3) * within(0.75, 1.25) + 6),
      Math.round(within(2, 22)),
      Math.round(within(5, 45)),
    ];
  });
}

/** A scoreboard, which is read now and then, sometimes wrongly, and a number that rises elsewhere. */
function textsOf({ happenings, seconds }: Game, random: Random): AnalyzedText[] {
  const texts: AnalyzedText[] = [];
  const board = { box: [40, 50, 220, 50] as const, confidence: 0.9 };
  let [home, away, from] = [0, 0, 0];
  // The board, a part of it, or a wrong digit.
  const show = (to: number): void => {
    const misread = random.chance(0.08);
    const middle = (from + to) / 2;
    const text = (left: number): string => `RED ${left} - ${away} BLU`;
    const at = (second: number): number => Math.round(second * SECOND_MS);
    if (random.chance(0.15)) texts.push({ ...board, text: `RED ${away} BLU`, startMs: at(from), endMs: at(to) });
    else if (!misread) texts.push({ ...board, text: text(home), startMs: at(from), endMs: at(to) });
    else
      texts.push(
        { ...board, text: text(home), startMs: at(from), endMs: at(middle) },
        { ...board, text: text(home + 7), startMs: at(middle), endMs: at((middle + to) / 2) },
        { ...board, text: text(home), startMs: at((middle + to) / 2), endMs: at(to) },
      );
    from = to;
  };
  for (const { at, scoreDelay } of happenings) {
    if (scoreDelay === undefined) continue;
    // Between two readings, the change may be anywhere.
    show(at + scoreDelay + (random.chance(0.4) ? random.within(-15, 18) : random.within(-0.5, 0.5)));
    if (random.chance(0.5)) home++;
    else away++;
  }
  show(seconds);
  for (const [index, { at }] of happenings.filter(({ kind }) => kind === 'other number').entries())
    for (const step of [0, 1])
      texts.push({
        ...{ text: `Corners ${3 * index + step}`, confidence: 0.85, box: [700, 850, 200, 60] },
        ...{ startMs: (at + step * 6) * SECOND_MS, endMs: (at + step * 6 + 6) * SECOND_MS },
      });
  return texts.toSorted((a, b) => a.startMs - b.startMs);
}

/** When a shot begins, and what it replays. */
export type Planned = { readonly from: number; readonly replayOf?: number; readonly repeats?: boolean };

/** The director's plan: wide shots, fast cuts after what happens, replays at half speed. */
export function shotPlan({ happenings, seconds }: Game, random: Random): Planned[] {
  const fixed = happenings.flatMap(({ at, replay }): Planned[] =>
    replay
      ? [
          { from: at + replay.delay, replayOf: at - 3, repeats: replay.repeats },
          { from: at + replay.delay + REPLAY_SECONDS },
        ]
      : [],
  );
  const fast = happenings.flatMap(({ at, fastCuts }) =>
    fastCuts === true ? [3, 5.2, 7.1, 9.3].map((after): Planned => ({ from: at + after })) : [],
  );
  const usual: Planned[] = [];
  for (let from = 0; from < seconds; from += random.within(5, 16)) usual.push({ from });
  const near = (a: Planned, b: Planned): boolean =>
    b.replayOf === undefined
      ? Math.abs(a.from - b.from) < 1.5
      : a.from > b.from - 1.5 && a.from < b.from + REPLAY_SECONDS + 1.5;
  const kept = fast.filter((shot) => fixed.every((other) => !near(shot, other)));
  const all = [...fixed, ...kept];
  return [...all, ...usual.filter((shot) => shot.from === 0 || all.every((other) => !near(shot, other)))].toSorted(
    (a, b) => a.from - b.from,
  );
}

function picturesOf(game: Game, random: Random): { shots: AnalyzedShot[]; prints: string[] } {
  const plan = shotPlan(game, random);
  const clean: number[][] = [];
  let place = randomPrint(random);
  for (let second = 0; second < game.seconds; second++) {
    const shot = plan.findLast(({ from }) => from <= second);
    if (shot && shot.from > second - 1) place = randomPrint(random);
    place = place.map((value) => value + random.within(-3, 3));
    const source =
      shot?.replayOf === undefined ? undefined : clean[Math.floor(shot.replayOf + (second - shot.from) / 2)];
    clean.push(source ?? place);
  }
  const prints = clean.map((print) =>
    Buffer.from(print.map((value) => Math.max(0, Math.min(255, Math.round(value + random.within(-2, 2)))))).toString(
      'base64',
    ),
  );
  const shots = plan.map(({ from, repeats }, index): AnalyzedShot => ({
    ...{
      startMs: Math.round(from * SECOND_MS),
      endMs: Math.round((plan[index + 1]?.from ?? game.seconds) * SECOND_MS),
    },
    ...{ cut: index > 0, certainty: 0.9, colours: [], motion: 20, pan: 0, flat: 0.2, brightness: 100 },
    ...{
      thumbnailMs: Math.round(from * SECOND_MS),
      thumbnailWorth: 1,
      repeats: repeats === true ? 0.45 : random.within(0, 0.1),
    },
  }));
  return { shots, prints };
}

function randomPrint({ within }: Random): number[] {
  return Array.from({ length: PRINT_VALUES }, () => within(90, 166));
}
