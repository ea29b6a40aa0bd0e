/** Checks that all pictures exist, each once, at its time, and similar to the source's. */
import type { Expectation } from '../recipes/recipe.ts';
import type { ComparedRung } from './rung.ts';
import { coarse, correlation, difference, structuralLikeness } from './likeness.ts';

/**
 * The lowest similarity of one picture, and of their mean. x264's `ultrafast` keeps the hard-edged test picture above
 * 0.9 on average at every size used here; a key picture may fall to 0.75, as the smallest sizes are limited to 100
 * kb/s. A blurred, distorted or shifted picture lies below 0.6; neighbours are distinguished by their numbers.
 */
const usualBars = { one: 0.7, mean: 0.88 };
/** Tone mapping changes luma nonlinearly, so that only its order and its edges can be compared. */
const barsOfHdr = { one: 0.75, mean: 0.8 };
/** Tolerance for times, which both sides may round to milliseconds. */
const TIME_SLACK = 0.0021;
const TOP_RATE = 60;

type Distance = (one: Float64Array, other: Float64Array) => number;

/** @param zero seconds on the source's clock at which the video begins */
export function judgePictures(rung: ComparedRung, zero: number, expected: Expectation): string[] {
  const faults = expected.thinned ? judgeThinned(rung, zero, expected) : judgeAll(rung, zero, expected);
  return [...rung.repeatFaults, ...faults].map((fault) => `${rung.name}: ${fault}`);
}

/** One picture at each sixtieth of a second, each of them one that the source shows around that time. */
function judgeThinned(rung: ComparedRung, zero: number, expected: Expectation): string[] {
  const { made, source } = rung;
  const first = source.times[0] ?? 0;
  const last = source.times.at(-1) ?? 0;
  const wanted = (last - first) * TOP_RATE;
  const faults: string[] = [];
  if (Math.abs(made.times.length - wanted) > 2) faults.push(`shows ${made.times.length} pictures, not ${wanted}`);
  const gaps = made.times.slice(1).map((time, index) => time - (made.times[index] ?? 0));
  if (gaps.some((gap) => Math.abs(gap - 1 / TOP_RATE) > TIME_SLACK)) faults.push('is not at sixty pictures a second');
  const { width, height } = made;
  const originals = source.pictures.map((picture) => coarse(picture, width, height));
  const pairs = made.pictures.map((picture, place) => {
    const cells = coarse(picture, width, height);
    const near = (index: number): boolean =>
      Math.abs((source.times[index] ?? 0) - zero - (made.times[place] ?? 0)) < 1.01 / TOP_RATE;
    const distances = originals.map((original, index) => (near(index) ? difference(cells, original) : Infinity));
    return distances.indexOf(Math.min(...distances));
  });
  if (new Set(pairs).size < pairs.length) faults.push('shows pictures twice');
  return [...faults, ...judgeLikeness(rung, pairs, expected)];
}

/** @param pairs the number of the source's picture for every picture of the rung */
function judgeLikeness({ made, source }: ComparedRung, pairs: readonly number[], expected: Expectation): string[] {
  const bars = expected.least ?? (expected.hdr ? barsOfHdr : usualBars);
  const { width, height } = made;
  const likeness = made.pictures.map((picture, place) => {
    const original = source.pictures[pairs[place] ?? -1];
    if (!original) return 0;
    if (expected.hdr) return correlation(coarse(picture, width, height), coarse(original, width, height));
    return structuralLikeness(picture, original, width, height);
  });
  const least = Math.min(...likeness);
  const mean = likeness.reduce((sum, value) => sum + value, 0) / likeness.length;
  return [
    ...(least < bars.one ? [`picture ${likeness.indexOf(least)} is only ${least.toFixed(3)} like the source's`] : []),
    ...(mean < bars.mean ? [`pictures are only ${mean.toFixed(3)} like the source's on average`] : []),
  ];
}

function judgeAll(rung: ComparedRung, zero: number, expected: Expectation): string[] {
  const { made, source } = rung;
  const faults = judgeOrder(rung, expected);
  if (made.times.length !== source.times.length) return faults;
  faults.push(...judgeTimes(made.times, source.times, zero, expected));
  faults.push(...judgeLikeness(rung, [...source.times.keys()], expected));
  return faults;
}

/**
 * Which of the source's pictures each picture of the rung shows; of several equally similar ones, the one at its
 * position.
 */
function judgeOrder({ made, source }: ComparedRung, expected: Expectation): string[] {
  const distance = distanceFor(expected);
  const { width, height } = made;
  const originals = source.pictures.map((picture) => coarse(picture, width, height));
  let next = 0;
  const shows = made.pictures.map((picture) => {
    const cells = coarse(picture, width, height);
    const distances = originals.map((original) => distance(cells, original));
    const bar = Math.min(...distances) * 1.5 + 6;
    const inPlace = (distances[next] ?? Infinity) <= bar;
    const found = inPlace ? next : distances.findIndex((value) => value <= bar);
    next = found + 1;
    return found;
  });
  const faults: string[] = [];
  if (made.pictures.length !== source.pictures.length)
    faults.push(`shows ${made.pictures.length} pictures, the source ${source.pictures.length}`);
  const missing = originals.flatMap((_original, index) => (shows.includes(index) ? [] : [index]));
  const doubled = [...new Set(shows.filter((index, place) => shows.indexOf(index) !== place))];
  if (missing.length > 0) faults.push(`is without the source's pictures ${listed(missing)}`);
  if (doubled.length > 0) faults.push(`shows the source's pictures ${listed(doubled)} twice`);
  if (faults.length === 0 && shows.some((index, place) => index !== place)) faults.push('shows pictures out of order');
  return faults;
}

function distanceFor({ hdr }: Expectation): Distance {
  return hdr ? (one, other) => (1 - correlation(one, other)) * 10_000 : difference;
}

function listed(numbers: readonly number[]): string {
  return numbers.slice(0, 8).join(', ') + (numbers.length > 8 ? ` and ${numbers.length - 8} more` : '');
}

/** A file may begin with pictures that refer to missing ones; the first shown picture may then replace them. */
function judgeTimes(
  made: readonly number[],
  source: readonly number[],
  zero: number,
  { leading = 0 }: Expectation,
): string[] {
  const usual = (source[2] ?? source[1] ?? 0) - (source[1] ?? 0);
  const stands = (made[1] ?? 0) - ((source[1] ?? zero) - zero);
  const late = leading > 0 && stands > -TIME_SLACK && stands < (leading + 0.5) * usual ? stands : 0;
  const off = source.flatMap((time, index) => {
    const wanted = index === 0 ? 0 : time - zero + late;
    const is = made[index] ?? Number.NaN;
    return Math.abs(is - wanted) <= TIME_SLACK
      ? []
      : [`picture ${index} is shown at ${is}, not at ${wanted.toFixed(4)}`];
  });
  return off.length > 2 ? [`${off[0]}; so are ${off.length - 1} others`] : off;
}
