/** How the channels of a source become left and right: nobody's channel is lost, and speech is never buried. */
import type { AudioStream } from '../source/probe.ts';

/** Layouts whose mix ITU-R BS.775 defines, as ffmpeg computes it. Others are mixed by the number of each channel. */
const defined = new Set(
  (
    'mono stereo downmix 2.1 3.0 3.0(back) 4.0 quad quad(side) 3.1 5.0 5.0(side) 4.1 5.1 5.1(side) ' +
    '6.0 6.0(front) hexagonal 6.1 6.1(back) 6.1(front) 7.0 7.0(front) 7.1 7.1(wide) 7.1(wide-side)'
  ).split(' '),
);

/** Files that declare no layout are usually in the order of the usual one of so many channels. */
const MAX_GUESSED = 8;

export type Mix = {
  /** Filters that leave two channels. */
  readonly filters: readonly string[];
  /** Options of `aresample`, which mixes where no filter does. */
  readonly options: string;
  /** The loudest peak after mixing, of 1. */
  readonly limit: number;
};

/**
 * Coefficients of a channel add up to this at most: a film's centre is 6 dB down, and what a loud mix has above full
 * scale is left to the limiter.
 */
const LOUDEST_SUM = 1.7;
/** Lossy encoders overshoot: the denser the sound, the more. */
const limits = { plain: 0.89, mixed: 0.71 } as const;

export function mixOf({ channels, layout }: AudioStream): Mix {
  const limit = channels > 2 ? limits.mixed : limits.plain;
  const options = `rematrix_maxval=${LOUDEST_SUM}`;
  if (defined.has(layout)) return { filters: [], options, limit };
  // What would be the channel of low frequencies may be a microphone.
  if (layout === '' && channels <= MAX_GUESSED) return { filters: [], options: `${options}:lfe_mix_level=1`, limit };
  const [left, right] = ambisonic(layout) ?? byNumber(channels);
  // Sums of integers would be clipped before the limiter sees them.
  return { filters: ['aformat=sample_fmts=fltp', `pan=stereo|c0=${left}|c1=${right}`], options, limit };
}

type Sides = readonly [left: string, right: string];

/**
 * Two cardioids, to the left and to the right, of a sound field in the order of RFC 8486 §3.1, whose first channel is the
 * sound from everywhere and whose second one is left minus right; then the stereo beside it that does not turn.
 */
function ambisonic(layout: string): Sides | undefined {
  const [, order, beside] = /^ambisonic (\d+)(\+stereo)?$/.exec(layout) ?? [];
  if (order === undefined) return undefined;
  const next = (Number(order) + 1) ** 2;
  const [left, right] = beside === undefined ? ['', ''] : [`+c${next}`, `+c${next + 1}`];
  return [`0.5*c0+0.5*c1${left}`, `0.5*c0-0.5*c1${right}`];
}

/** The first two are left and right, as in every layout and on every recorder; all others are heard in the middle. */
function byNumber(channels: number): Sides {
  const pair = channels > 1 ? 2 : 0;
  const middle = Array.from({ length: channels - pair }, (_channel, index) => `0.5*c${pair + index}`);
  const side = (own: string): string => [...(pair ? [`0.707*${own}`] : []), ...middle].join('+');
  return [side('c0'), side('c1')];
}
