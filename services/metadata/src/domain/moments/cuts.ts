/** Directors cut faster after an event: faces, benches, stands. */
import { medianOf, shareOf, type Evidence } from './evidence.ts';
import type { Span } from '../span.ts';

const WINDOW_MS = 15_000;
const MIN_CUTS = 3;
const BEFORE_MS = 8_000;

export function cutEvidence(shots: readonly Span[]): Evidence[] {
  const starts = shots.slice(1).map(({ startMs }) => startMs);
  const counts = starts.map((_start, index) => countFrom(starts, index));
  const usual = Math.max(1, medianOf(counts));
  return starts.flatMap((startMs, index) => {
    const count = counts[index] ?? 0;
    const strength = shareOf(count / usual, 1.2, 3);
    if (count < MIN_CUTS || strength < 0.1) return [];
    const span = { startMs: Math.max(0, startMs - BEFORE_MS), endMs: startMs + 1 };
    return [{ reason: 'cuts', ...span, strength, reactionEndMs: startMs }];
  });
}

/** Cuts within the window that begins with one of them. */
function countFrom(starts: readonly number[], index: number): number {
  let count = 0;
  while ((starts[index + count] ?? Infinity) < (starts[index] ?? 0) + WINDOW_MS) count++;
  return count;
}
