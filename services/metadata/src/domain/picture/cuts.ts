/** Where one shot ends and the next begins: hard cuts, slow changes, and black in between; flashes are none. */
import type { FoundStretch } from '../found.ts';
import type { Frame } from './frame-log.ts';
import { colourDistance, layoutDistance, type Sample } from './sample.ts';

export type Cut = {
  readonly atMs: number;
  /** 0 to 1. */
  readonly certainty: number;
};

/** A cut stands out this much, of 100 … */
const leastScore = 5;
/** … and so many times above the pictures around it: what flickers all the time has no cuts. */
const leastRatio = 2.5;
const around = 6;
/** Shots are no shorter. */
const leastShotMs = 400;

const meanMotionAround = (frames: readonly Frame[], place: number): number => {
  let [sum, count] = [0, 0];
  for (let other = Math.max(1, place - around); other <= Math.min(frames.length - 1, place + around); other++)
    if (other !== place) {
      sum += frames[other]?.motion ?? 0;
      count++;
    }
  return count === 0 ? 0 : sum / count;
};

const jumps = (frames: readonly Frame[]): Cut[] =>
  frames.flatMap(({ atMs, motion, score }, place) => {
    if (place === 0 || score < leastScore) return [];
    const ratio = motion / Math.max(0.5, meanMotionAround(frames, place));
    return ratio < leastRatio ? [] : [{ atMs, certainty: Math.min(1, 0.5 + score / 40) }];
  });

/** The last sample up to a moment, and the first from it on. */
const sampleUpTo = (samples: readonly Sample[], atMs: number): Sample | undefined =>
  samples.findLast((sample) => sample.atMs <= atMs);
const sampleFrom = (samples: readonly Sample[], atMs: number): Sample | undefined =>
  samples.find((sample) => sample.atMs >= atMs);

/** A flash, or a picture that was dropped: before and soon after it is the same. */
const isPassing = (samples: readonly Sample[], atMs: number): boolean => {
  const before = sampleUpTo(samples, atMs - 40);
  const after = sampleFrom(samples, atMs + 350);
  if (!before || !after || after.atMs - before.atMs > 1_500) return false;
  return colourDistance(before.colours, after.colours) < 0.2 && layoutDistance(before, after) < 0.03;
};

const secondOfSamples = 4;

/** Changes that take about a second, between pictures that stay as they are. */
const dissolves = (samples: readonly Sample[]): Cut[] => {
  const change = (from: number, to: number): number => {
    const [a, b] = [samples[from], samples[to]];
    return a && b ? colourDistance(a.colours, b.colours) : 0;
  };
  const changes = samples.map((_sample, place) => change(place, place + secondOfSamples));
  return samples.flatMap(({ atMs }, place) => {
    const here = changes[place] ?? 0;
    const near = changes.slice(Math.max(0, place - secondOfSamples), place + secondOfSamples + 1);
    if (here < 0.5 || here < Math.max(...near) || near.indexOf(here) !== Math.min(place, secondOfSamples)) return [];
    const calm = Math.max(
      change(place - secondOfSamples, place),
      change(place + secondOfSamples, place + 2 * secondOfSamples),
    );
    return calm > 0.25 ? [] : [{ atMs: atMs + 500, certainty: 0.5 }];
  });
};

/** A picture that comes out of black begins a shot. */
const outOfBlack = (stretches: readonly FoundStretch[], endMs: number): Cut[] =>
  stretches.flatMap((stretch) =>
    stretch.kind === 'black' && stretch.startMs > 0 && stretch.endMs < endMs
      ? [{ atMs: stretch.endMs, certainty: 0.7 }]
      : [],
  );

const apart = (kept: readonly Cut[], cut: Cut, leastMs: number): boolean =>
  kept.every(({ atMs }) => Math.abs(atMs - cut.atMs) >= leastMs);

/** Surer ones first; of several that would leave a shot too short the surest stays. */
const spread = (kept: readonly Cut[], more: readonly Cut[], leastMs: number): Cut[] =>
  [...more]
    .sort((a, b) => b.certainty - a.certainty || a.atMs - b.atMs)
    .reduce<Cut[]>((all, cut) => (apart(all, cut, leastMs) ? [...all, cut] : all), [...kept]);

/** Cuts in the order of time. All times are those of the frames. */
export const findCuts = (
  frames: readonly Frame[],
  samples: readonly Sample[],
  stretches: readonly FoundStretch[],
): readonly Cut[] => {
  const endMs = Math.max(frames.at(-1)?.atMs ?? 0, samples.at(-1)?.atMs ?? 0);
  const hard = spread(
    [],
    jumps(frames).filter(({ atMs }) => !isPassing(samples, atMs)),
    leastShotMs,
  );
  const slow = spread(hard, outOfBlack(stretches, endMs), leastShotMs);
  return spread(slow, dissolves(samples), 1_000).sort((a, b) => a.atMs - b.atMs);
};
