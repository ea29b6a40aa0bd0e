/** Sounds that a deaf viewer would miss: a crowd that grows loud, and music. */
import { classify } from '@vds/chassis/sound/classes';
import type { AnalyzedSecond } from '@vds/chassis/sound/features';
import type { Sound, SoundKind } from './sound-names.ts';

const SECOND_MS = 1_000;
/** Shorter ones are gone before they are read. */
const MIN_SECONDS = 2;
/** A crowd is so loud at least, and stands out of the quietest fifth by so much. */
const MIN_LEVEL_DB = -35;
const MIN_RISE_DB = 6;

/** @param offsetMs where the seconds begin in the video */
export function findSounds(seconds: readonly AnalyzedSecond[], offsetMs: number): Sound[] {
  const classes = classify(seconds);
  const levels = seconds.map(([level]) => level).toSorted((a, b) => a - b);
  const least = Math.max(MIN_LEVEL_DB, (levels[Math.floor(levels.length / 5)] ?? 0) + MIN_RISE_DB);
  const kinds = seconds.map(([level], index): SoundKind | undefined => {
    if (classes[index] === 'music') return 'music';
    return classes[index] === 'noise' && level >= least ? 'crowd' : undefined;
  });
  const found: Sound[] = [];
  for (const [index, kind] of kinds.entries()) {
    const startMs = offsetMs + index * SECOND_MS;
    const last = found.at(-1);
    if (kind !== undefined && last?.kind === kind && last.endMs === startMs)
      found[found.length - 1] = { ...last, endMs: startMs + SECOND_MS };
    else if (kind !== undefined) found.push({ kind, startMs, endMs: startMs + SECOND_MS });
  }
  return found.filter(({ startMs, endMs }) => endMs - startMs >= MIN_SECONDS * SECOND_MS);
}
