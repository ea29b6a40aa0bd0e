/** Where one shot ends and the next begins: hard cuts, slow changes, and black in between, but not flashes. */
import type { AnalyzedInterval } from '../analysis.ts';
import type { Frame } from './frame-log.ts';
import { changedShare, colourDistance, type Sample } from './sample.ts';

export type Cut = {
  readonly atMs: number;
  /** 0 to 1. */
  readonly certainty: number;
};

/** A cut changes the picture this much, of 100 … */
const MIN_SCORE = 3;
/** … or, with a smaller change, stands out more clearly from the pictures around it. */
const CLEAR_SCORE = 5;
const MIN_RATIO = 1.8;
const CLEAR_RATIO = 6;
const AROUND = 7;
/** The shortest shot. */
const MIN_SHOT_MS = 400;

/** Jumps this close together are one event, as a flash goes on and off. */
const EVENT_MS = 300;

const SECOND_OF_SAMPLES = 4;

/** Cuts in chronological order. All times are those of the frames. */
export function findCuts(
  frames: readonly Frame[],
  samples: readonly Sample[],
  intervals: readonly AnalyzedInterval[],
): readonly Cut[] {
  const endMs = Math.max(frames.at(-1)?.atMs ?? 0, samples.at(-1)?.atMs ?? 0);
  const hard = addCuts([], lastingJumps(frames, samples), MIN_SHOT_MS);
  const slow = addCuts(hard, outOfBlack(intervals, endMs), MIN_SHOT_MS);
  return addCuts(slow, dissolves(samples), 1_000).sort((a, b) => a.atMs - b.atMs);
}

/** Adds cuts by certainty; of several that would make a shot too short the most certain stays. */
function addCuts(cuts: readonly Cut[], more: readonly Cut[], leastMs: number): Cut[] {
  const all = [...cuts];
  for (const cut of [...more].sort((a, b) => b.certainty - a.certainty || a.atMs - b.atMs))
    if (all.every(({ atMs }) => Math.abs(atMs - cut.atMs) >= leastMs)) all.push(cut);
  return all;
}

/** The most certain jump of every event with a lasting change. */
function lastingJumps(frames: readonly Frame[], samples: readonly Sample[]): Cut[] {
  const groups: Cut[][] = [];
  for (const jump of jumps(frames)) {
    const event = groups.at(-1);
    if (event && jump.atMs - (event.at(-1)?.atMs ?? 0) <= EVENT_MS) event.push(jump);
    else groups.push([jump]);
  }
  return groups.filter((event) => isLasting(samples, event)).flatMap((event) => addCuts([], event, EVENT_MS));
}

/**
 * Jumps that stand out from the pictures before them, or from those after them: constant flicker has none, and a cut
 * into flicker, or out of it, is one.
 */
function jumps(frames: readonly Frame[]): Cut[] {
  return frames.flatMap(({ atMs, score }, index) => {
    if (index === 0 || score < MIN_SCORE) return [];
    const before = mostMotion(frames, index - AROUND, index);
    const after = mostMotion(frames, index + 1, index + 1 + AROUND);
    const ratio = score / Math.min(before, after);
    return ratio < (score < CLEAR_SCORE ? CLEAR_RATIO : MIN_RATIO)
      ? []
      : [{ atMs, certainty: Math.min(1, 0.5 + score / 40 + (score / before >= MIN_RATIO ? 0.1 : 0)) }];
  });
}

function mostMotion(frames: readonly Frame[], from: number, to: number): number {
  let most = 0.4;
  for (let index = Math.max(1, from); index < Math.min(frames.length, to); index++)
    most = Math.max(most, frames[index]?.motion ?? 0);
  return most;
}

/**
 * Whether the picture after an event is a different one, and stays so: after a flash the previous picture returns,
 * except for what moves anyway, and a banner that appears leaves most of the picture unchanged.
 */
function isLasting(samples: readonly Sample[], event: readonly Cut[]): boolean {
  const [first, last] = [event[0]?.atMs ?? 0, event.at(-1)?.atMs ?? 0];
  const before = sampleUpTo(samples, first - 10);
  const after = sampleFrom(samples, last + 350) ?? sampleFrom(samples, last + 10);
  if (!before || !after) return true;
  const earlier = event.length > 1 ? sampleUpTo(samples, before.atMs - (after.atMs - before.atMs)) : undefined;
  const drift = earlier && {
    colours: colourDistance(earlier.colours, before.colours),
    fields: changedShare(earlier, before),
  };
  return isOther(before, after, drift);
}

/** The last sample up to a moment. */
function sampleUpTo(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.findLast((sample) => sample.atMs <= atMs);
}

/** The first sample from a moment on. */
function sampleFrom(samples: readonly Sample[], atMs: number): Sample | undefined {
  return samples.find((sample) => sample.atMs >= atMs);
}

/** Whether two pictures differ by more than `drift`, the usual change between them. */
function isOther(a: Sample, b: Sample, drift = { colours: 0, fields: 0 }): boolean {
  return (
    colourDistance(a.colours, b.colours) >= 0.2 + 1.5 * drift.colours ||
    changedShare(a, b) >= Math.min(0.95, 0.3 + 1.5 * drift.fields)
  );
}

/** A picture after black begins a shot. */
function outOfBlack(intervals: readonly AnalyzedInterval[], endMs: number): Cut[] {
  return intervals
    .filter((interval) => interval.kind === 'black' && interval.startMs > 0 && interval.endMs < endMs)
    .map((interval) => ({ atMs: interval.endMs, certainty: 0.7 }));
}

/** Changes that take about a second, between pictures that stay as they are. */
function dissolves(samples: readonly Sample[]): Cut[] {
  const change = (from: number, to: number): number => {
    const [a, b] = [samples[from], samples[to]];
    return a && b ? colourDistance(a.colours, b.colours) : 0;
  };
  const changes = samples.map((_sample, index) => change(index, index + SECOND_OF_SAMPLES));
  return samples.flatMap(({ atMs }, index) => {
    const here = changes[index] ?? 0;
    const near = changes.slice(Math.max(0, index - SECOND_OF_SAMPLES), index + SECOND_OF_SAMPLES + 1);
    if (here < 0.5 || here < Math.max(...near) || near.indexOf(here) !== Math.min(index, SECOND_OF_SAMPLES)) return [];
    const calm = Math.max(
      change(index - SECOND_OF_SAMPLES, index),
      change(index + SECOND_OF_SAMPLES, index + 2 * SECOND_OF_SAMPLES),
    );
    return calm > 0.25 ? [] : [{ atMs: atMs + 500, certainty: 0.5 }];
  });
}
