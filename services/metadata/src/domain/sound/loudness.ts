/** How loud the crowd and the voice in front of it are, each second. */
import type { AnalyzedSecond } from '@vds/chassis/sound/features';

/** Quieter ones are silence to a viewer. */
const MIN_CROWD_DB = -50;
/** Half of the time that a crowd is compared with. */
const AROUND_SECONDS = 90;
const STEP_SECONDS = 10;

/**
 * Decibels below full scale of the steady noise of a second, also beneath a voice. Measured with voices over noise of
 * 0 to 60 dB less: the less noise there is, the more the level rises and falls, three decibels for each decibel of its
 * deviation. Undefined where tones sound, as in music.
 */
export function crowdLevel([level, flatness, modulation, steadiness]: AnalyzedSecond): number | undefined {
  return flatness >= 44 && steadiness < 30 ? Math.max(MIN_CROWD_DB, level - 0.3 * modulation) : undefined;
}

/** By how many decibels the crowd exceeds what is usual around each second; 0 where none is heard. */
export function crowdRises(seconds: readonly AnalyzedSecond[]): readonly number[] {
  const levels = seconds.map(crowdLevel);
  const usual: number[] = [];
  for (let at = 0; at < levels.length; at += STEP_SECONDS) {
    const around = levels.slice(Math.max(0, at - AROUND_SECONDS), at + AROUND_SECONDS);
    const known = around.map((level) => level ?? MIN_CROWD_DB).toSorted((a, b) => a - b);
    usual.push(known[Math.floor(known.length / 2)] ?? MIN_CROWD_DB);
  }
  return levels.map((level, at) =>
    level === undefined ? 0 : Math.max(0, level - (usual[Math.floor(at / STEP_SECONDS)] ?? MIN_CROWD_DB)),
  );
}
