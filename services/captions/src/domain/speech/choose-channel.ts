/**
 * Chooses what a speech engine hears of a stereo recording: usually the mix of both channels, but where only one of them
 * has speech beside music in the other, that channel; and where speech is inverted in one, so that the mix cancels it,
 * the difference of both, which has no music that they share.
 */
import { createEnvelope, MIN_LEVEL } from './envelope.ts';

export type Channel = 'mix' | 'left' | 'right' | 'difference';

/** Syllables come and go within these two spans, in steps; the difference of both averages follows them alone. */
const SHORT_SPAN = 6;
const LONG_SPAN = 40;
/** In steps: so long a piece has speech or has none. */
const PIECE_STEPS = 100;
/** Share of the mean level by which it changes with the syllables; speech 0.4 and more, also over noise, music below. */
const MIN_CHANGE = 0.35;
/**
 * The part of the loudest one's level below which another one has lost what that has: one channel alone is half of the
 * mix. The difference lacks speech that both channels share, and must be loud to be preferred.
 */
const leastShare = { mix: 0.25, left: 0.25, right: 0.25, difference: 0.5 } as const;
/** Another one must have more speech than the mix by this factor: the mix has what both channels say. */
const CLEARLY_MORE = 1.25;

type Piece = { readonly level: number; readonly change: number };

/** Half the sum or half the difference of both channels, or one of them. */
const sampleOf: Readonly<Record<Channel, (left: number, right: number) => number>> = {
  mix: (left, right) => (left + right) / 2,
  left: (left) => left,
  right: (_left, right) => right,
  difference: (left, right) => (left - right) / 2,
};
const channels = ['mix', 'left', 'right', 'difference'] as const;

/** Creates a chooser that is fed piece by piece: sound of minutes keeps a processor busy for a second. */
export function createChannelChooser(sampleRate: number) {
  const envelopes = channels.map((channel) => ({ take: sampleOf[channel], ...createEnvelope(sampleRate) }));
  return {
    /** @param samples of 16 bits, left and right in turn */
    add: (samples: Int16Array): void => {
      for (let index = 0; index + 1 < samples.length; index += 2) {
        const [left, right] = [samples[index] ?? 0, samples[index + 1] ?? 0];
        for (const { take, add } of envelopes) add(take(left, right));
      }
    },
    result: (): Channel => choose(envelopes.map(({ levels }) => piecesOf(levels))),
  };
}

/** @param all pieces of each channel, in the order of `channels` */
function choose(all: readonly (readonly Piece[])[]): Channel {
  const loudest = (all[0] ?? []).map((_mix, index) => Math.max(...all.map((pieces) => pieces[index]?.level ?? 0)));
  const [mix, ...others] = channels.map((channel, at) => {
    const spoken = (all[at] ?? []).filter(
      ({ level, change }, index) =>
        change >= MIN_CHANGE && level >= Math.max(MIN_LEVEL, (loudest[index] ?? 0) * leastShare[channel]),
    );
    return { channel, count: spoken.length, change: spoken.reduce((sum, { change }) => sum + change, 0) };
  });
  const [best] = others.toSorted((one, other) => other.count - one.count || other.change - one.change);
  return best && best.count > (mix?.count ?? 0) * CLEARLY_MORE ? best.channel : 'mix';
}

/** One channel of two. @param samples left and right in turn */
export function takeChannel(samples: Int16Array, channel: Channel): Int16Array {
  const take = sampleOf[channel];
  const taken = new Int16Array(samples.length >> 1);
  for (let index = 0; index < taken.length; index++)
    taken[index] = Math.round(take(samples[2 * index] ?? 0, samples[2 * index + 1] ?? 0));
  return taken;
}

function piecesOf(envelope: readonly number[]): Piece[] {
  const short = averagesOf(envelope, SHORT_SPAN);
  const long = averagesOf(envelope, LONG_SPAN);
  const pieces: Piece[] = [];
  for (let from = 0; from < envelope.length; from += PIECE_STEPS) {
    const to = Math.min(envelope.length, from + PIECE_STEPS);
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
