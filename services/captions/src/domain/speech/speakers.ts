/**
 * Who speaks: marks words with which another speaker begins, where both the silence before and the voice say so plainly.
 * One speaker's pitch moves by a quarter within minutes, and by half in a shout, which is louder too.
 */
import type { Word } from '../words.ts';
import { quietLevels, type SoundLevels } from './align-words.ts';
import { STEP_MS } from './envelope.ts';
import { PITCH_STEP_MS } from './pitch.ts';

/** Speakers who take turns pause so long; where music or a crowd is loud, there is no such silence. */
const MIN_SILENCE_MS = 300;
/** After a longer one nobody is surprised by another voice, and the sound may have changed. */
const MAX_SILENCE_MS = 10_000;
/** A voice is known by so much of it. */
const MIN_VOICED_MS = 400;
/** The pitches of a man and a woman are 1.6 or more apart. */
const MIN_RATIO = 1.5;
/** Who shouts speaks louder by more. */
const MAX_LOUDER_DB = 10;
/** How far a word may begin from where the sound does. */
const MAX_DISTANCE_MS = 250;

type Voice = {
  readonly startMs: number;
  readonly endMs: number;
  /** Quartiles of its pitches, in Hz. */
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly level: number;
};

/** @param pitches of the same sound (pitch.ts) */
export function markSpeakers(words: readonly Word[], sound: SoundLevels, pitches: readonly number[]): Word[] {
  const voices = voicesOf(sound, pitches);
  const turns = voices.slice(1).filter((voice, index) => {
    const before = voices[index];
    return before !== undefined && isOther(before, voice);
  });
  const begins = new Set(turns.flatMap(({ startMs }) => wordAt(words, startMs + sound.offsetMs)));
  return words.map((word) => (begins.has(word) ? { ...word, turn: true } : word));
}

function isOther(before: Voice, next: Voice): boolean {
  const [low, high] = before.middle < next.middle ? [before, next] : [next, before];
  const louder = Math.abs(20 * Math.log10(before.level / next.level));
  const pauseMs = next.startMs - before.endMs;
  return (
    pauseMs <= MAX_SILENCE_MS && high.middle >= low.middle * MIN_RATIO && high.low > low.high && louder <= MAX_LOUDER_DB
  );
}

/** What is heard between silences. A part in which too little voice is heard is left out, and so is what it separates. */
function voicesOf({ levels }: SoundLevels, pitches: readonly number[]): readonly Voice[] {
  const quietAt = quietLevels(levels);
  const isQuiet = (step: number): boolean => {
    const quiet = quietAt(step);
    return quiet < 0 || (levels[step] ?? 0) <= quiet;
  };
  const voices: Voice[] = [];
  let [from, end] = [-1, -1];
  for (let step = 0; step <= levels.length; step++) {
    if (step < levels.length && !isQuiet(step)) {
      if (from < 0) from = step;
      end = step + 1;
    } else if (from >= 0 && (step === levels.length || (step - end) * STEP_MS >= MIN_SILENCE_MS)) {
      voices.push(voiceOf(levels, pitches, from, end));
      from = -1;
    }
  }
  return voices;
}

function voiceOf(levels: readonly number[], pitches: readonly number[], from: number, end: number): Voice {
  const [startMs, endMs] = [from * STEP_MS, end * STEP_MS];
  const own = pitches.slice(Math.floor(startMs / PITCH_STEP_MS), Math.ceil(endMs / PITCH_STEP_MS));
  const heard = sorted(own.filter((pitch) => pitch > 0));
  const at = (part: number): number => heard[Math.floor(heard.length * part)] ?? NaN;
  // Comparisons with NaN are false: such a part is nobody's.
  const known = heard.length * PITCH_STEP_MS >= MIN_VOICED_MS ? 1 : NaN;
  const loudness = sorted(levels.slice(from, end));
  const level = loudness[Math.floor(loudness.length / 2)] ?? NaN;
  return { startMs, endMs, low: at(0.25), middle: at(0.5) * known, high: at(0.75), level };
}

function sorted(values: readonly number[]): readonly number[] {
  return values.toSorted((a, b) => a - b);
}

/** The word that begins there, at most one. */
function wordAt(words: readonly Word[], atMs: number): Word[] {
  const distance = ({ startMs }: Word): number => Math.abs(startMs - atMs);
  const near = words.filter((word) => distance(word) <= MAX_DISTANCE_MS);
  return near.toSorted((a, b) => distance(a) - distance(b)).slice(0, 1);
}
