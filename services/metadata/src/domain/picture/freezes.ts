/** Which intervals that seem frozen as a whole are frozen in every part: a small rolling ball is motion. */
import type { AnalyzedInterval } from '../analysis.ts';
import { lengthOf, within } from '../span.ts';
import { largestChange, type Sample } from './sample.ts';

/** Encoders let a still picture vary by no more than this. */
const STILL_TOLERANCE = 3;
const MIN_MS = 2_000;

/** Reduces frozen intervals to those parts that are really still for two seconds. */
export function detectFreezes(intervals: readonly AnalyzedInterval[], samples: readonly Sample[]): AnalyzedInterval[] {
  return intervals
    .flatMap((interval) => (interval.kind === 'frozen' ? stillParts(interval, samples) : [interval]))
    .filter((interval) => interval.kind !== 'frozen' || lengthOf(interval) >= MIN_MS);
}

/** The parts of an interval in which no field of the picture changes. */
function stillParts(interval: AnalyzedInterval, samples: readonly Sample[]): AnalyzedInterval[] {
  const inside = within(interval, samples);
  const edges = inside.flatMap((sample, index) => {
    const before = inside[index - 1];
    return before && largestChange(before, sample) > STILL_TOLERANCE ? [sample.atMs] : [];
  });
  const marks = [interval.startMs, ...edges, interval.endMs];
  return marks.slice(1).map((endMs, index) => ({ ...interval, startMs: marks[index] ?? interval.startMs, endMs }));
}
