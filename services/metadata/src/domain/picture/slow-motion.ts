/** Slow motion that repeats pictures, as that of ordinary cameras does; that of fast cameras cannot be measured. */
import type { AnalyzedShot } from '../analysis.ts';
import { lengthOf } from '../span.ts';
import type { Frame } from './frame-log.ts';

/** Least change beside a picture that counts as repeated, of 100: where nothing moves, nothing repeats. */
const MIN_MOTION = 0.15;
const REPEATED_CHANGE = 0.2;
const MIN_REPEATS = 0.3;
const MIN_MS = 1_500;

/** The share of the frames that repeat the one before while the picture moves. */
export function repeatsOf(frames: readonly Frame[]): number {
  const repeats = frames.filter(({ motion }, index) => {
    const around = Math.max(frames[index - 1]?.motion ?? 0, frames[index + 1]?.motion ?? 0);
    return around >= MIN_MOTION && motion < REPEATED_CHANGE * around;
  });
  return repeats.length / Math.max(1, frames.length);
}

/** Shots that repeat pictures where most of the video does not: a video of fewer pictures a second repeats all along. */
export function slowShots(shots: readonly AnalyzedShot[]): readonly AnalyzedShot[] {
  const isSlow = ({ repeats = 0 }: AnalyzedShot): boolean => repeats >= MIN_REPEATS;
  const slow = shots.filter((shot) => isSlow(shot) && lengthOf(shot) >= MIN_MS);
  const all = shots.reduce((sum, shot) => sum + lengthOf(shot), 0);
  return slow.reduce((sum, shot) => sum + lengthOf(shot), 0) > all / 3 ? [] : slow;
}
