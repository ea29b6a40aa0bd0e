/** Which intervals that seem frozen as a whole are frozen in every part: a small rolling ball is motion. */
import type { AnalyzedInterval } from '../analysis.ts';
import { largestChange, type Sample } from './sample.ts';

/** Encoders let a still picture vary by no more than this. */
const wavering = 3;
const leastMs = 2_000;

/** Reduces frozen intervals to those parts that are really still for two seconds. */
export function detectFreezes(stretches: readonly AnalyzedInterval[], samples: readonly Sample[]): AnalyzedInterval[] {
  return stretches
    .flatMap((stretch) => (stretch.kind === 'frozen' ? stillParts(stretch, samples) : [stretch]))
    .filter(({ kind, startMs, endMs }) => kind !== 'frozen' || endMs - startMs >= leastMs);
}

/** The parts of an interval in which no field of the picture changes. */
function stillParts(stretch: AnalyzedInterval, samples: readonly Sample[]): AnalyzedInterval[] {
  const inside = samples.filter(({ atMs }) => atMs >= stretch.startMs && atMs < stretch.endMs);
  const edges = inside.flatMap((sample, place) => {
    const before = inside[place - 1];
    return before && largestChange(before, sample) > wavering ? [sample.atMs] : [];
  });
  const marks = [stretch.startMs, ...edges, stretch.endMs];
  return marks.slice(1).map((endMs, place) => ({ ...stretch, startMs: marks[place] ?? stretch.startMs, endMs }));
}
