/** Which intervals that seem frozen as a whole are frozen in every part: a small rolling ball is motion. */
import type { AnalyzedInterval } from '../analysis.ts';
import { largestChange, type Sample } from './sample.ts';

/** Encoders let a still picture vary by no more than this. */
const wavering = 3;
const leastMs = 2_000;

/** Reduces frozen intervals to those parts that are really still for two seconds. */
export function detectFreezes(intervals: readonly AnalyzedInterval[], samples: readonly Sample[]): AnalyzedInterval[] {
  return intervals
    .flatMap((interval) => (interval.kind === 'frozen' ? stillParts(interval, samples) : [interval]))
    .filter(({ kind, startMs, endMs }) => kind !== 'frozen' || endMs - startMs >= leastMs);
}

/** The parts of an interval in which no field of the picture changes. */
function stillParts(interval: AnalyzedInterval, samples: readonly Sample[]): AnalyzedInterval[] {
  const inside = samples.filter(({ atMs }) => atMs >= interval.startMs && atMs < interval.endMs);
  const edges = inside.flatMap((sample, place) => {
    const before = inside[place - 1];
    return before && largestChange(before, sample) > wavering ? [sample.atMs] : [];
  });
  const marks = [interval.startMs, ...edges, interval.endMs];
  return marks.slice(1).map((endMs, place) => ({ ...interval, startMs: marks[place] ?? interval.startMs, endMs }));
}
