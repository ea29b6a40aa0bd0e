/**
 * Chooses what a speech engine hears of a stereo recording: usually the mix of both channels, but where only one of them
 * has speech beside music in the other, or one is inverted so that the mix cancels it, the better channel.
 */

export type Channel = 'mix' | 'left' | 'right';

/** Envelopes have one value for so many milliseconds. */
const stepMs = 10;
/** Syllables come and go within these two spans, in steps; the difference of both averages follows them alone. */
const shortSpan = 6;
const longSpan = 40;
/** In steps: so long a piece has speech or has none. */
const pieceSteps = 100;
/** Share of the mean level by which it changes with the syllables; speech 0.4 and more, also over noise, music below. */
const leastChange = 0.35;
/** Of full scale; below it is silence. */
const leastLevel = 0.002;
/** The part of the louder channel's level below which the mix has lost what the channel has: one channel alone is half. */
const leastOfLouder = 0.25;
/** A channel must have more speech than the mix by this factor: the mix has what both channels say. */
const clearlyMore = 1.25;

type Piece = { readonly level: number; readonly change: number };

/** Creates a chooser that is fed piece by piece: sound of minutes keeps a processor busy for a second. */
export function createChannelChooser(sampleRate: number) {
  const left = createEnvelope(sampleRate);
  const right = createEnvelope(sampleRate);
  const mix = createEnvelope(sampleRate);
  return {
    /** @param samples of 16 bits, left and right in turn */
    add: (samples: Int16Array): void => {
      for (let index = 0; index + 1 < samples.length; index += 2) {
        const [a, b] = [samples[index] ?? 0, samples[index + 1] ?? 0];
        left.add(a);
        right.add(b);
        mix.add((a + b) / 2);
      }
    },
    result: (): Channel => choose(piecesOf(left.levels), piecesOf(right.levels), piecesOf(mix.levels)),
  };
}

function choose(left: readonly Piece[], right: readonly Piece[], mix: readonly Piece[]): Channel {
  const louder = mix.map((_piece, index) => Math.max(left[index]?.level ?? 0, right[index]?.level ?? 0));
  const count = (pieces: readonly Piece[]): number =>
    pieces.filter(
      ({ level, change }, index) =>
        change >= leastChange && level >= Math.max(leastLevel, (louder[index] ?? 0) * leastOfLouder),
    ).length;
  const [inLeft, inRight] = [count(left), count(right)];
  if (Math.max(inLeft, inRight) <= count(mix) * clearlyMore) return 'mix';
  return inLeft >= inRight ? 'left' : 'right';
}

/** One channel of two. @param samples left and right in turn */
export function takeChannel(samples: Int16Array, channel: Channel): Int16Array {
  const taken = new Int16Array(samples.length >> 1);
  for (let index = 0; index < taken.length; index++) {
    const [left, right] = [samples[2 * index] ?? 0, samples[2 * index + 1] ?? 0];
    taken[index] = channel === 'mix' ? Math.round((left + right) / 2) : channel === 'left' ? left : right;
  }
  return taken;
}

function piecesOf(envelope: readonly number[]): Piece[] {
  const short = averagesOf(envelope, shortSpan);
  const long = averagesOf(envelope, longSpan);
  const pieces: Piece[] = [];
  for (let from = 0; from < envelope.length; from += pieceSteps) {
    const to = Math.min(envelope.length, from + pieceSteps);
    let [level, change] = [0, 0];
    for (let index = from; index < to; index++) {
      level += envelope[index] ?? 0;
      change += ((short[index] ?? 0) - (long[index] ?? 0)) ** 2;
    }
    level /= to - from;
    pieces.push({ level, change: level > 0 ? Math.sqrt(change / (to - from)) / level : 0 });
  }
  return pieces;
}

/** Measures the level in the band of speech, of full scale, step by step. */
function createEnvelope(sampleRate: number) {
  const size = Math.round((sampleRate * stepMs) / 1_000);
  const [low, high] = [smoothing(300, sampleRate), smoothing(3_400, sampleRate)];
  const levels: number[] = [];
  let [below, smooth, energy, count] = [0, 0, 0, 0];
  const add = (sample: number): void => {
    const value = sample / 32_768;
    below += low * (value - below);
    smooth += high * (value - below - smooth);
    energy += smooth * smooth;
    if (++count < size) return;
    levels.push(Math.sqrt(energy / size));
    [energy, count] = [0, 0];
  };
  return { add, levels };
}

/** The coefficient of a low-pass filter of the first order. */
function smoothing(frequency: number, sampleRate: number): number {
  return 1 - Math.exp((-2 * Math.PI * frequency) / sampleRate);
}

/** Moving averages around each value. */
function averagesOf(values: readonly number[], span: number): number[] {
  const sums = new Float64Array(values.length + 1);
  values.forEach((value, index) => (sums[index + 1] = (sums[index] ?? 0) + value));
  return values.map((_value, index) => {
    const from = Math.max(0, index - (span >> 1));
    const to = Math.min(values.length, index + (span >> 1) + 1);
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  });
}
