/** Which stretches that look frozen on the whole are so in every part: a small ball that rolls is no standstill. */
import type { AnalyzedInterval } from '../analysis.ts';
import { largestChange, type Sample } from './sample.ts';

/** Encoders let a picture that stands still waver by no more. */
const wavering = 3;
const leastMs = 2_000;

/** Leaves of frozen stretches what really stands still for two seconds. */
export function detectFreezes(stretches: readonly AnalyzedInterval[], samples: readonly Sample[]): AnalyzedInterval[] {
  return stretches
    .flatMap((stretch) => (stretch.kind === 'frozen' ? stillParts(stretch, samples) : [stretch]))
    .filter(({ kind, startMs, endMs }) => kind !== 'frozen' || endMs - startMs >= leastMs);
}

/** The parts of a stretch in which no field of the picture changes. */
function stillParts(stretch: AnalyzedInterval, samples: readonly Sample[]): AnalyzedInterval[] {
  const inside = samples.filter(({ atMs }) => atMs >= stretch.startMs && atMs < stretch.endMs);
  const edges = inside.flatMap((sample, place) => {
    const before = inside[place - 1];
    return before && largestChange(before, sample) > wavering ? [sample.atMs] : [];
  });
  const marks = [stretch.startMs, ...edges, stretch.endMs];
  return marks.slice(1).map((endMs, place) => ({ ...stretch, startMs: marks[place] ?? stretch.startMs, endMs }));
}
