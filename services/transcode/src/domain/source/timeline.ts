/** The video's clock: where its zero lies on the source's clock, how regular its pictures are, how long it lasts. */
import { gapsOf, type FrameScan } from './frame-scan.ts';
import type { ProbedVideo } from './probe.ts';

/** Highest frame rate of a rendition. */
export const TOP_FRAME_RATE = 60;

export type Timeline = {
  /** Seconds on the source's clock that become zero of the video. */
  readonly zero: number;
  /** Seconds from zero to the first picture: not 0 where sound begins long before it. */
  readonly first: number;
  /** Seconds from zero to where the first picture begins in the file: before it is shown where an edit list cuts it. */
  readonly stored: number;
  /** Seconds from zero to the last picture. */
  readonly last: number;
  /** Seconds by which a clock's rounding may move a picture; less than half the usual distance of two. */
  readonly margin: number;
  /** Pictures that decoding should deliver. */
  readonly frames: number;
  /** Seconds from zero to the end of the pictures or of the sound, whichever is later: every rendition ends there. */
  readonly end: number;
  /** Seconds of sound from zero on that decoding should deliver, at least. */
  readonly soundLength: number;
  /** The longest time between two delivered pictures, in seconds. */
  readonly longestGap: number;
  readonly variable: boolean;
  /** Delivered frame rate, at most: the source's constant rate, the usual one of a variable rate, or the cap. */
  readonly frameRate: number;
  /** Whether the source has more frames a second than its renditions. */
  readonly thinned: boolean;
};

const MAX_MARGIN = 0.001;
/**
 * Sound may begin this much before the first picture and is then cut; beyond that the first picture is extended
 * instead.
 */
const SHORT_LEAD = 0.1;
/** Seconds over which the highest rate is measured: single gaps are uneven. */
const RATE_SPAN = 0.2;
const standardRates = [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30, 48, 50, 60_000 / 1_001, 60];

export function makeTimeline(probe: ProbedVideo, scan: FrameScan): Timeline {
  const first = scan.times[0] ?? 0;
  // An edit list presents from 0 on: sound that a packet holds before that, such as an encoder's priming, is not heard.
  const earliest = probe.demuxer === 'mov' ? 0 : -Infinity;
  const lead = first - Math.max(earliest, Math.min(scan.lostFrom ?? first, scan.audio?.start ?? first));
  const zero = lead > SHORT_LEAD ? first - lead : first;
  // A single picture is followed by its own end.
  const gaps = scan.times.length === 1 ? Float64Array.of(scan.end - first) : gapsOf(scan.times);
  const sorted = gaps.slice().sort();
  const gap = sorted[sorted.length >> 1] ?? probe.video.tick;
  const longestGap = sorted.at(-1) ?? gap;
  // A tick is rounding, such as 33 and 34 ms in Matroska.
  const slack = gap * 0.25 + probe.video.tick * 1.01 + 1e-5;
  const even = gaps.filter((one) => Math.abs(one - gap) <= slack);
  const variable = gaps.length - even.length > gaps.length / 100;
  const rate = rateOf(variable ? Float64Array.of(gap) : even);
  const thinned = rate > TOP_FRAME_RATE * 1.01;
  const end = Math.max(scan.end, scan.audio?.end ?? scan.end) - zero;
  return {
    zero,
    first: first - zero,
    stored: (scan.heldFrom ?? first) - zero,
    last: (scan.times.at(-1) ?? 0) - zero,
    margin: Math.min(gap / 2, MAX_MARGIN),
    frames: scan.times.length,
    end,
    // Packets may overlap, and their lengths may be wrong.
    soundLength: Math.min(scan.soundLength, (scan.audio?.end ?? zero) - Math.max(zero, scan.audio?.start ?? zero)),
    longestGap: thinned ? Math.max(longestGap, 1 / TOP_FRAME_RATE) : longestGap,
    variable,
    frameRate: Math.min(TOP_FRAME_RATE, rate),
    thinned,
  };
}

/** A constant rate is measured over all even gaps, because single ones are rounded to the clock. */
function rateOf(gaps: Float64Array): number {
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0);
  return seconds > 0 ? nominal(gaps.length / seconds) : 25;
}

/**
 * The highest frame rate that occurs in what is delivered (RFC 8216 §4.3.4.2).
 * @param repeats seconds of the video at which pictures are delivered once more
 */
export function peakRate(
  { times }: FrameScan,
  { zero, variable, frameRate, thinned }: Timeline,
  repeats: readonly number[],
  tick: number,
): number {
  if (thinned) return frameRate;
  const shown = Float64Array.from({ length: times.length + repeats.length }, (_time, index) =>
    index < times.length ? (times[index] ?? zero) - zero : (repeats[index - times.length] ?? 0),
  );
  const peak = peakOf(shown.sort(), tick);
  // What is measured over a moment is less exact than a constant rate.
  const isConstant = !variable && Math.abs(peak / frameRate - 1) < 0.02;
  return peak === 0 || isConstant ? frameRate : peak;
}

/** The highest rate over a fifth of a second, or over one gap where it is longer; 0 where a video is shorter. */
function peakOf(times: Float64Array, tick: number): number {
  let [peak, from] = [0, 0];
  const span = RATE_SPAN - 2 * tick;
  times.forEach((time, to) => {
    while (from + 1 < to && time - (times[from + 1] ?? 0) >= span) from++;
    const length = time - (times[from] ?? time);
    if (length >= span) peak = Math.max(peak, (to - from) / length);
  });
  return nominal(peak, 0.01);
}

/** The nearest standard rate that a measured rate is close to, else the measured rate. */
function nominal(rate: number, slack = 0.0004): number {
  const [nearest = rate] = standardRates.toSorted((one, other) => Math.abs(rate - one) - Math.abs(rate - other));
  return Math.abs(rate - nearest) < nearest * slack ? nearest : Math.round(rate * 1_000) / 1_000;
}
