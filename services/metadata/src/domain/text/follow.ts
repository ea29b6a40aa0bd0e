/**
 * When a line of text that was read once is on screen: its place in the tiny pictures is followed in both directions.
 */
import { sampleHeight, sampleWidth, type Sample } from '../picture/sample.ts';
import type { Span } from '../span.ts';
import type { Box } from './lines.ts';

type Patch = Float64Array;

/** Least similarity of the same letters over another background. */
const same = 0.55;
/** Samples that are ignored as a gap, such as a flash or a wipe. */
const gap = 1;

/** How far from the edge of a stay a text may appear or disappear. */
const slackMs = 500;

export type Follower = {
  /** The interval around `stay` in which the box looks the same as in `stay`. */
  readonly extent: (box: Box, stay: Span) => Span;
  /** The moment between two stays at which the box changes most. */
  readonly turn: (box: Box, before: Span, after: Span) => number;
};

/** @param end of the last sample's time */
export function follower(samples: readonly Sample[], span: Span): Follower {
  const inside = (stay: Span): readonly Sample[] => {
    const within = samples.filter(({ atMs }) => atMs >= stay.startMs && atMs < stay.endMs);
    return within.length > 0 ? within : samples.slice(0, 1);
  };
  const indexAt = (atMs: number): number =>
    Math.max(
      0,
      samples.findLastIndex((sample) => sample.atMs <= atMs),
    );
  return {
    extent: (box, stay) => {
      const places = placesOf(box);
      const model = meanOf(inside(stay).map((sample) => patchOf(sample, places)));
      const shows = (at: number): boolean => {
        const sample = samples[at];
        return sample !== undefined && likeness(model, patchOf(sample, places)) >= same;
      };
      const reach = (from: number, step: 1 | -1): number => {
        let last = from;
        for (let at = from + step; at >= 0 && at < samples.length && Math.abs(at - last) <= gap + 1; at += step)
          if (shows(at)) last = at;
        return last;
      };
      const middle = indexAt((stay.startMs + stay.endMs) / 2);
      const [first, last] = [reach(middle, -1), reach(middle, 1)];
      return { startMs: samples[first]?.atMs ?? stay.startMs, endMs: samples[last + 1]?.atMs ?? span.endMs };
    },
    turn: (box, before, after) => {
      const places = placesOf(box);
      const [from, to] = [indexAt(before.endMs - slackMs), indexAt(after.startMs + slackMs)];
      let [best, most] = [after.startMs, -1];
      for (let at = from + 1; at <= to; at++) {
        const [old, fresh] = [samples[at - 1], samples[at]];
        if (!old || !fresh) continue;
        const here = change(patchOf(old, places), patchOf(fresh, places));
        if (here > most) [best, most] = [fresh.atMs, here];
      }
      return best;
    },
  };
}

/** Pixels of a box in the tiny picture, a pixel wider on every side. */
function placesOf([left, top, width, height]: Box): number[] {
  const [fromX, fromY] = [
    Math.max(0, Math.floor((left * sampleWidth) / 1_000) - 1),
    Math.max(0, Math.floor((top * sampleHeight) / 1_000) - 1),
  ];
  const toX = Math.min(sampleWidth, Math.ceil(((left + width) * sampleWidth) / 1_000) + 1);
  const toY = Math.min(sampleHeight, Math.ceil(((top + height) * sampleHeight) / 1_000) + 1);
  const places: number[] = [];
  for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++) places.push(y * sampleWidth + x);
  return places;
}

function meanOf(patches: readonly Patch[]): Patch {
  const mean = new Float64Array(patches[0]?.length ?? 0);
  for (const patch of patches)
    patch.forEach((value, place) => (mean[place] = (mean[place] ?? 0) + value / patches.length));
  return mean;
}

function patchOf(sample: Sample, places: readonly number[]): Patch {
  return Float64Array.from(places, (place) => sample.luma[place] ?? 0);
}

/** The similarity of two patches, independent of brightness: 1 for equal, 0 for nothing in common (Pearson). */
function likeness(a: Patch, b: Patch): number {
  const [meanA, meanB] = [average(a), average(b)];
  let [both, onlyA, onlyB] = [0, 0, 0];
  for (let place = 0; place < a.length; place++) {
    const [x, y] = [(a[place] ?? 0) - meanA, (b[place] ?? 0) - meanB];
    both += x * y;
    onlyA += x * x;
    onlyB += y * y;
  }
  return onlyA < 1 || onlyB < 1 ? 0 : both / Math.sqrt(onlyA * onlyB);
}

function average(values: Patch): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Mean difference of two patches, in steps of brightness. */
function change(a: Patch, b: Patch): number {
  return a.reduce((sum, value, place) => sum + Math.abs(value - (b[place] ?? 0)), 0) / Math.max(1, a.length);
}
