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
  /** Seconds from zero to the end of the last picture, and of the last sound. */
  readonly videoEnd: number;
  readonly audioEnd: number | undefined;
  /** Whether the sound of the source lasts longer than that. */
  readonly soundCut: boolean;
  /** Seconds of sound from zero on that decoding should deliver, at least. */
  readonly soundLength: number;
  /** The longest time between two delivered pictures, in seconds. */
  readonly longestGap: number;
  readonly variable: boolean;
  /** Delivered frame rate, at most: the source's constant rate, the usual one of a variable rate, or the cap. */
  readonly frameRate: number;
  /** The highest frame rate that occurs in what is delivered. */
  readonly peakRate: number;
  /** Whether the source has more frames a second than its renditions. */
  readonly thinned: boolean;
};

const MAX_MARGIN = 0.001;
/**
 * Sound may begin this much before the first picture and is then cut; beyond that the first picture is extended
 * instead.
 */
const SHORT_LEAD = 0.1;
/** Seconds. Pictures that follow each other more slowly are held, as in a recording of a screen. */
const HELD = 1;
/** Seconds of sound behind the pictures; more is a mistake of whoever made the file, or is meant to cost us hours. */
const MAX_TAIL = 10;
/** Seconds over which the highest rate is measured: single gaps are uneven. */
const RATE_SPAN = 0.2;
const standardRates = [24_000 / 1_001, 24, 25, 30_000 / 1_001, 30, 48, 50, 60_000 / 1_001, 60];

export function makeTimeline(probe: ProbedVideo, scan: FrameScan): Timeline {
  const first = scan.times[0] ?? 0;
  // An edit list presents from 0 on: sound that a packet holds before that, such as an encoder's priming, is not heard.
  const earliest = probe.demuxer === 'mov' ? 0 : -Infinity;
  const lead = first - Math.max(earliest, scan.audio?.start ?? first);
  const zero = lead > SHORT_LEAD ? first - lead : first;
  // A single picture is followed by its own end.
  const gaps = scan.times.length === 1 ? Float64Array.of(scan.end - first) : gapsOf(scan.times);
  const sorted = gaps.slice().sort();
  const gap = sorted[sorted.length >> 1] ?? probe.video.tick;
  const longestGap = sorted.at(-1) ?? gap;
  const variable = isVariable(gaps, gap, probe.video.tick);
  const rate = rateOf(scan.times, gap, variable);
  const thinned = rate > TOP_FRAME_RATE * 1.01;
  const videoEnd = endOf(scan, longestGap) - zero;
  const audioEnd = scan.audio && endOfSound(scan.audio.end - zero, videoEnd, scan.times.length);
  return {
    zero,
    first: first - zero,
    stored: (scan.heldFrom ?? first) - zero,
    last: (scan.times.at(-1) ?? 0) - zero,
    margin: Math.min(gap / 2, MAX_MARGIN),
    frames: scan.times.length,
    videoEnd,
    audioEnd,
    soundCut: scan.audio !== undefined && audioEnd !== scan.audio.end - zero,
    // Packets may overlap, and their lengths may be wrong.
    soundLength: Math.min(scan.soundLength, (audioEnd ?? 0) - Math.max(0, (scan.audio?.start ?? zero) - zero)),
    longestGap: thinned ? Math.max(longestGap, 1 / TOP_FRAME_RATE) : longestGap,
    variable,
    frameRate: Math.min(TOP_FRAME_RATE, rate),
    peakRate: thinned || !variable ? Math.min(TOP_FRAME_RATE, rate) : peakOf(scan.times, probe.video.tick) || rate,
    thinned,
  };
}

/** More than one gap in a hundred differs by a quarter; a tick is rounding, such as 33 and 34 ms in Matroska. */
function isVariable(gaps: Float64Array, usual: number, tick: number): boolean {
  const slack = usual * 0.25 + tick * 1.01 + 1e-5;
  const uneven = gaps.reduce((count, gap) => count + (Math.abs(gap - usual) > slack ? 1 : 0), 0);
  return uneven > gaps.length / 100;
}

/** A constant rate is measured over the whole video, because single gaps are rounded to the clock. */
function rateOf(times: Float64Array, gap: number, variable: boolean): number {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (span > 0 && !variable) return nominal((times.length - 1) / span);
  return gap > 0 ? nominal(1 / gap) : 25;
}

/**
 * The highest rate over a fifth of a second, or over one gap where it is longer (RFC 8216 §4.3.4.2); 0 where a video is
 * shorter.
 */
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

/** Where pictures are held, the last one stands until the sound ends, though not for longer than any before. */
function endOf({ times, end, audio }: FrameScan, longestGap: number): number {
  if (longestGap < HELD || !audio) return end;
  return Math.max(end, Math.min(audio.end, (times.at(-1) ?? 0) + longestGap));
}

/** A single picture is a still, made to be shown while its sound is heard. */
function endOfSound(end: number, videoEnd: number, pictures: number): number {
  return pictures === 1 ? end : Math.min(end, videoEnd + MAX_TAIL);
}

/** The nearest standard rate that a measured rate is close to, else the measured rate. */
function nominal(rate: number, slack = 0.0004): number {
  const [nearest = rate] = standardRates.toSorted((one, other) => Math.abs(rate - one) - Math.abs(rate - other));
  return Math.abs(rate - nearest) < nearest * slack ? nearest : Math.round(rate * 1_000) / 1_000;
}
