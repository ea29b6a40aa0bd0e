/**
 * When a line of text that was read once is on screen: its box in the tiny pictures is tracked in both directions.
 */
import { SAMPLE_HEIGHT, SAMPLE_WIDTH, type Sample } from '../picture/sample.ts';
import { middleOf, within, type Span } from '../span.ts';
import { correlation } from '@vds/chassis/statistics';
import type { Box } from './lines.ts';

type Patch = Float64Array;

/** Least similarity of the same letters over another background. */
const SAME = 0.55;
/** Samples that are ignored as a gap, such as a flash or a wipe. */
const GAP = 1;

/** How far from the edge of an interval a text may appear or disappear. */
const SLACK_MS = 500;

export type Tracker = {
  /** The time around an interval in which the box looks the same as in the interval. */
  readonly extent: (box: Box, interval: Span) => Span;
  /** The moment between two intervals at which the box changes most. */
  readonly change: (box: Box, before: Span, after: Span) => number;
};

/** @param span of the samples; its end is the last sample's */
export function createTracker(samples: readonly Sample[], span: Span): Tracker {
  const samplesIn = (interval: Span): readonly Sample[] => {
    const inside = within(interval, samples);
    return inside.length > 0 ? inside : samples.slice(0, 1);
  };
  const indexAt = (atMs: number): number => {
    const index = samples.findLastIndex((sample) => sample.atMs <= atMs);
    return Math.max(0, index);
  };
  return {
    extent: (box, interval) => {
      const pixels = pixelsOf(box);
      const model = meanPatch(samplesIn(interval).map((sample) => patchOf(sample, pixels)));
      const shows = (at: number): boolean => {
        const sample = samples[at];
        return sample !== undefined && correlation(model, patchOf(sample, pixels), 1) >= SAME;
      };
      const reach = (from: number, step: 1 | -1): number => {
        let last = from;
        for (let at = from + step; at >= 0 && at < samples.length && Math.abs(at - last) <= GAP + 1; at += step)
          if (shows(at)) last = at;
        return last;
      };
      const middle = indexAt(middleOf(interval));
      const [first, last] = [reach(middle, -1), reach(middle, 1)];
      return { startMs: samples[first]?.atMs ?? interval.startMs, endMs: samples[last + 1]?.atMs ?? span.endMs };
    },
    change: (box, before, after) => {
      const pixels = pixelsOf(box);
      const [from, to] = [indexAt(before.endMs - SLACK_MS), indexAt(after.startMs + SLACK_MS)];
      let [best, most] = [after.startMs, -1];
      for (let at = from + 1; at <= to; at++) {
        const [old, fresh] = [samples[at - 1], samples[at]];
        if (!old || !fresh) continue;
        const difference = meanDifference(patchOf(old, pixels), patchOf(fresh, pixels));
        if (difference > most) [best, most] = [fresh.atMs, difference];
      }
      return best;
    },
  };
}

/** Pixels of a box in the tiny picture, a pixel wider on every side. */
function pixelsOf([left, top, width, height]: Box): number[] {
  const fromX = Math.max(0, Math.floor((left * SAMPLE_WIDTH) / 1_000) - 1);
  const fromY = Math.max(0, Math.floor((top * SAMPLE_HEIGHT) / 1_000) - 1);
  const toX = Math.min(SAMPLE_WIDTH, Math.ceil(((left + width) * SAMPLE_WIDTH) / 1_000) + 1);
  const toY = Math.min(SAMPLE_HEIGHT, Math.ceil(((top + height) * SAMPLE_HEIGHT) / 1_000) + 1);
  const pixels: number[] = [];
  for (let y = fromY; y < toY; y++) for (let x = fromX; x < toX; x++) pixels.push(y * SAMPLE_WIDTH + x);
  return pixels;
}

function meanPatch(patches: readonly Patch[]): Patch {
  const mean = new Float64Array(patches[0]?.length ?? 0);
  for (const patch of patches)
    patch.forEach((value, index) => (mean[index] = (mean[index] ?? 0) + value / patches.length));
  return mean;
}

function patchOf(sample: Sample, pixels: readonly number[]): Patch {
  return Float64Array.from(pixels, (pixel) => sample.luma[pixel] ?? 0);
}

/** Mean difference of two patches, in steps of brightness. */
function meanDifference(a: Patch, b: Patch): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / Math.max(1, a.length);
}
