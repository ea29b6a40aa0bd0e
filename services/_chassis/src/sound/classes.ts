/** Classifies each second of sound by its measurements. */
import type { AnalyzedSecond } from './features.ts';

/** `noise` is steady sound without tones: rain, wind, a crowd. */
export type SoundClass = 'silent' | 'speech' | 'music' | 'noise' | 'other';

const SILENT_BELOW = -55;

/** One class for every second. */
export function classify(seconds: readonly AnalyzedSecond[]): readonly SoundClass[] {
  const classes = seconds.map(classOf);
  return classes.map((_class, index) => smooth(classes, index));
}

function classOf([level, flatness, modulation, steadiness, quiet]: AnalyzedSecond): SoundClass {
  if (level < SILENT_BELOW) return 'silent';
  if (flatness >= 45 && modulation < 35 && steadiness < 30) return 'noise';
  if (modulation >= 60 && quiet >= 15 && steadiness < 60) return 'speech';
  if (steadiness >= 45 && modulation < 100) return 'music';
  return 'other';
}

/** Replaces the class of a second by that of both neighbours where these agree; silence and noise stay. */
function smooth(classes: readonly SoundClass[], index: number): SoundClass {
  const own = classes[index] ?? 'other';
  if (own === 'silent' || own === 'noise') return own;
  const [before, after] = [classes[index - 1], classes[index + 1]];
  return before !== undefined && before === after && before !== 'silent' && before !== 'noise' ? before : own;
}
