/** What each second of sound is, as far as it can be told from the way it sounds. */
import type { AnalyzedSecond } from '../analysis.ts';

/** `noise` is what stays the same and has no tones: rain, wind, a crowd. */
export type SoundClass = 'silent' | 'speech' | 'music' | 'noise' | 'other';

const silentBelow = -55;

/** One class for every second. */
export function classify(seconds: readonly AnalyzedSecond[]): readonly SoundClass[] {
  const classes = seconds.map(classOf);
  return classes.map((_class, place) => settle(classes, place));
}

function classOf([level, flatness, modulation, steadiness, quiet]: AnalyzedSecond): SoundClass {
  if (level < silentBelow) return 'silent';
  if (flatness >= 45 && modulation < 35 && steadiness < 30) return 'noise';
  if (modulation >= 60 && quiet >= 15 && steadiness < 60) return 'speech';
  if (steadiness >= 45 && modulation < 100) return 'music';
  return 'other';
}

/** The class that most of the seconds around have, where the second itself is not sure to be another. */
function settle(classes: readonly SoundClass[], place: number): SoundClass {
  const own = classes[place] ?? 'other';
  if (own === 'silent' || own === 'noise') return own;
  const [before, after] = [classes[place - 1], classes[place + 1]];
  return before !== undefined && before === after && before !== 'silent' && before !== 'noise' ? before : own;
}
