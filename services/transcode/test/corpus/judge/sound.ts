/** Checks that all of the source's sound is present, at its time, with silence only where the source has it. */
import { SOUND_RATE, type DecodedSound } from './decode.ts';
import type { EncodedOutput } from './output.ts';
import type { Length } from './playlists.ts';

/** Lips and sound: less than one picture at 40 a second. */
const LAG_SLACK = 0.025;
const END_SLACK = 0.06;
const SEARCHED = 0.12;
const STRETCH = 0.4;
/** Below it two sounds are not the same; encoding twice leaves more than 0.8. */
const SAME_SOUND = 0.5;
const WINDOW_SECONDS = 0.02;
/** So many windows of silence are a gap. */
const GAP_WINDOWS = 3;

/**
 * @param made the video's sound
 * @param source the source's sound; undefined: it has none
 * @param zero seconds on the source's clock at which the video begins
 * @param length seconds that the title may last: silence follows sound that ends early
 */
export function judgeSound(
  { audio }: EncodedOutput['ladder'],
  made: DecodedSound | undefined,
  source: DecodedSound | undefined,
  zero: number,
  [least, most]: Length,
): string[] {
  if (!source) return audio ? ['has sound, the source has none'] : [];
  if (!audio) return ['has no sound, the source has'];
  if (!made) return ['its sound cannot be decoded'];
  const end = source.end - zero;
  const faults: string[] = [];
  if (Math.abs(made.start) > 0.03) faults.push(`sound begins at ${made.start.toFixed(3)}`);
  if (made.end < least || made.end > most + END_SLACK)
    faults.push(`sound ends at ${made.end.toFixed(3)}, not at ${least.toFixed(3)} to ${most.toFixed(3)}`);
  if (Math.abs(made.length - (made.end - made.start)) > END_SLACK)
    faults.push(`${made.length.toFixed(3)} s of sound last from ${made.start.toFixed(3)} to ${made.end.toFixed(3)}`);
  const length = Math.ceil(Math.max(end, made.end) * SOUND_RATE);
  const [wanted, decoded] = [onOutputClock(source, zero, length), onOutputClock(made, 0, length)];
  return [...faults, ...judgeLag(wanted, decoded), ...judgeGaps(wanted, decoded)];
}

function onOutputClock({ samples, start }: DecodedSound, zero: number, length: number): Float32Array {
  const placed = new Float32Array(Math.max(0, length));
  const from = Math.round((start - zero) * SOUND_RATE);
  samples.forEach((sample, index) => {
    if (from + index >= 0 && from + index < length) placed[from + index] = sample;
  });
  return placed;
}

/** Checks where each section of the source's sound is found again. */
function judgeLag(wanted: Float32Array, decoded: Float32Array): string[] {
  const size = Math.round(Math.min(STRETCH, wanted.length / SOUND_RATE / 2) * SOUND_RATE);
  const faults: string[] = [];
  for (let from = 0; from + size <= wanted.length; from += size) {
    const piece = wanted.subarray(from, from + size);
    if (loudness(piece, 0, size) < 0.02) continue;
    const { lag, likeness } = findPiece(piece, decoded, from);
    const at = `sound at ${(from / SOUND_RATE).toFixed(1)} s`;
    if (likeness < SAME_SOUND) faults.push(`${at} is not the source's (${likeness.toFixed(2)})`);
    else if (Math.abs(lag) > LAG_SLACK)
      faults.push(`${at} is ${(Math.abs(lag) * 1_000).toFixed(0)} ms too ${lag > 0 ? 'late' : 'early'}`);
  }
  return faults.length > 2 ? [`${faults[0]}; so are ${faults.length - 1} others`] : faults;
}

function loudness(samples: Float32Array, from: number, to: number): number {
  return Math.sqrt(energyOf(samples, from, to) / Math.max(1, to - from));
}

function energyOf(samples: Float32Array, from: number, to: number): number {
  let energy = 0;
  for (let index = from; index < to; index++) energy += (samples[index] ?? 0) ** 2;
  return energy;
}

/** The lag in seconds at which a piece of sound is most similar to the video's. */
function findPiece(piece: Float32Array, decoded: Float32Array, from: number): { lag: number; likeness: number } {
  const most = Math.round(SEARCHED * SOUND_RATE);
  const own = energyOf(piece, 0, piece.length);
  let best = { lag: 0, likeness: -1 };
  for (let lag = -most; lag <= most; lag++) {
    const at = from + lag;
    const [begin, end] = [Math.max(0, -at), Math.min(piece.length, decoded.length - at)];
    let product = 0;
    for (let index = begin; index < end; index++) product += (piece[index] ?? 0) * (decoded[at + index] ?? 0);
    // Without any similarity, its loudness does not matter.
    if (product <= 0) continue;
    const likeness = product / Math.sqrt(Math.max(1e-9, own * energyOf(decoded, at + begin, at + end)));
    if (likeness > best.likeness) best = { lag: lag / SOUND_RATE, likeness };
  }
  return best;
}

/** Finds silence where the source has sound, and sound where it is silent; the last 60 ms may be missing. */
function judgeGaps(wanted: Float32Array, decoded: Float32Array): string[] {
  const size = Math.round(WINDOW_SECONDS * SOUND_RATE);
  const count = Math.floor((wanted.length - END_SLACK * SOUND_RATE) / size);
  const levels = (samples: Float32Array): number[] =>
    Array.from({ length: Math.max(0, count) }, (_window, index) => loudness(samples, index * size, (index + 1) * size));
  const [source, output] = [levels(wanted), levels(decoded)];
  const bar = Math.max(...source) * 0.1;
  const around = (values: readonly number[], index: number): number[] =>
    values.slice(Math.max(0, index - 1), index + 2);
  const lost = source.map((level, index) => level > bar && Math.max(...around(output, index)) < bar);
  const added = output.map((level, index) => level > bar && Math.max(...around(source, index)) < bar);
  return [
    ...runsOf(lost).map((at) => `is silent from ${at} s, where the source sounds`),
    ...runsOf(added).map((at) => `sounds from ${at} s, where the source is silent`),
  ];
}

/** Where runs of at least `gapWindows` begin, in seconds. */
function runsOf(flags: readonly boolean[]): string[] {
  return flags.flatMap((flag, index) => {
    const begins = flag && flags[index - 1] !== true;
    const long = flags.slice(index, index + GAP_WINDOWS).filter(Boolean).length === GAP_WINDOWS;
    return begins && long ? [(index * WINDOW_SECONDS).toFixed(2)] : [];
  });
}
