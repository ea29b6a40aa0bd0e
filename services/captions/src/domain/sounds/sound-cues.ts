/** Sounds as cues in brackets: only where nobody speaks, so that no cue of speech loses time. */
import type { Cue } from '../layout/cues.ts';
import type { Sound } from './sound-names.ts';
import { soundName } from './sound-names.ts';

/** A cue of a sound lasts so long, within an interval without speech. */
const MIN_MS = 2_000;
const MAX_MS = 4_000;
/** Another one only after so long: it is a note, no clock. */
const MIN_DISTANCE_MS = 15_000;

/**
 * The cues with those of sounds between them, in order: at most one in an interval without speech.
 * @param durationMs of the video
 */
export function withSounds(
  cues: readonly Cue[],
  sounds: readonly Sound[],
  language: string,
  durationMs: number,
): Cue[] {
  const all: Cue[] = [];
  let allowedMs = 0;
  for (const [index, next] of [...cues, undefined].entries()) {
    const freeMs = cues[index - 1]?.endMs ?? 0;
    const cue = cueOf(sounds, Math.max(freeMs, allowedMs), next?.startMs ?? durationMs, language);
    if (cue) {
      all.push(cue);
      allowedMs = cue.startMs + MIN_DISTANCE_MS;
    }
    if (next) all.push(next);
  }
  return all;
}

/** The first sound that lasts long enough between two times. */
function cueOf(sounds: readonly Sound[], fromMs: number, toMs: number, language: string): Cue | undefined {
  for (const { kind, ...sound } of sounds) {
    const startMs = Math.max(fromMs, sound.startMs);
    const endMs = Math.min(toMs, sound.endMs, startMs + MAX_MS);
    const name = soundName(kind, language);
    if (endMs - startMs >= MIN_MS && name !== undefined) return { startMs, endMs, lines: [name] };
  }
  return undefined;
}
