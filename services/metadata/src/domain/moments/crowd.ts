/** Crowds that rise suddenly above what is usual in the minutes around. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import { crowdRises } from '../sound/loudness.ts';
import { shareOf, type Evidence } from './evidence.ts';

const SECOND_MS = 1_000;
const MIN_RISE_DB = 5;
const MIN_SECONDS = 2;
/** Seconds within a roar that may be quieter. */
const MAX_GAP_SECONDS = 2;
/** What lasts longer is rain, singing or a ceremony. */
const MAX_SECONDS = 40;
/** How long before a crowd is loud the event may lie: it draws breath first. */
const BEFORE_MS = 4_000;

export function crowdEvidence(seconds: readonly AnalyzedSecond[]): Evidence[] {
  const rises = crowdRises(seconds);
  return roars(rises)
    .filter(({ from, to }) => to - from >= MIN_SECONDS && to - from <= MAX_SECONDS)
    .map(({ from, to }) => {
      const loudest = rises.slice(from, to).toSorted((a, b) => b - a);
      const rise = loudest[Math.floor(loudest.length / 4)] ?? 0;
      return {
        reason: 'crowd',
        startMs: Math.max(0, from * SECOND_MS - BEFORE_MS),
        endMs: (from + 1) * SECOND_MS,
        strength: shareOf(rise, 3, 14) * shareOf(to - from, 0, 5),
        reactionEndMs: to * SECOND_MS,
      };
    });
}

/** Runs of seconds in which the crowd is louder. */
function roars(rises: readonly number[]): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [at, rise] of rises.entries()) {
    if (rise < MIN_RISE_DB) continue;
    const last = runs.at(-1);
    if (last && at - last.to <= MAX_GAP_SECONDS) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}
