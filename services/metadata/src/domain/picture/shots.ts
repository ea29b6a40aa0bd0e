/** Shots, the intervals between two cuts, and their properties. */
import type { AnalyzedShot } from '../analysis.ts';
import { lengthOf, middleOf, within, type Span } from '../span.ts';
import { meanOf } from '@vds/chassis/statistics';
import type { Cut } from './cuts.ts';
import type { Frame } from './frame-log.ts';
import { repeatsOf } from './slow-motion.ts';
import { bins, SAMPLE_WIDTH, type Sample } from './sample.ts';

/** The most columns that a picture may move in a quarter of a second. */
const FARTHEST = 24;

/** Least distance from a cut, near which pictures may still fade in. */
const AWAY_FROM_CUTS_MS = 300;

/**
 * The shots of a span, without gap or overlap.
 * @param cuts those outside the span are left out; one at its very start begins its first shot
 */
export function shotsWithin(
  span: Span,
  cuts: readonly Cut[],
  frames: readonly Frame[],
  samples: readonly Sample[],
): readonly AnalyzedShot[] {
  const inside = cuts.filter(({ atMs }) => Math.round(atMs) >= span.startMs && Math.round(atMs) < span.endMs);
  const first = inside.find(({ atMs }) => Math.round(atMs) === span.startMs);
  const starts = [
    { atMs: span.startMs, cut: first },
    ...inside.filter((cut) => cut !== first).map((cut) => ({ atMs: cut.atMs, cut })),
  ];
  return starts.map(({ atMs, cut }, index) => {
    const shot = { startMs: atMs, endMs: starts[index + 1]?.atMs ?? span.endMs };
    // The first picture of a shot differs from the last of the previous one.
    return measureShot(shot, cut, within(shot, frames).slice(1), within(shot, samples));
  });
}

function round(value: number, places = 2): number {
  return Number(value.toFixed(places));
}

function measureShot(
  span: Span,
  cut: Cut | undefined,
  frames: readonly Frame[],
  samples: readonly Sample[],
): AnalyzedShot {
  const thumbnail = thumbnailOf(span, samples);
  return {
    startMs: Math.round(span.startMs),
    endMs: Math.round(span.endMs),
    cut: cut !== undefined,
    certainty: round(cut?.certainty ?? 0),
    colours: coloursOf(samples),
    motion: round((1_000 * frames.reduce((sum, { motion }) => sum + motion, 0)) / Math.max(1, lengthOf(span))),
    pan: round(panOf(samples)),
    flat: round(meanOf(samples.map(({ flat }) => flat))),
    repeats: round(repeatsOf(frames)),
    brightness: Math.round(medianOf(samples.map(({ brightness }) => brightness))),
    thumbnailMs: Math.floor(thumbnail.atMs),
    thumbnailWorth: round(thumbnail.worth),
  };
}

function thumbnailOf(span: Span, samples: readonly Sample[]): { atMs: number; worth: number } {
  const inner = samples.filter(
    ({ atMs }) => atMs >= span.startMs + AWAY_FROM_CUTS_MS && atMs <= span.endMs - AWAY_FROM_CUTS_MS,
  );
  return (inner.length > 0 ? inner : samples).reduce(
    (best, sample) => (worthOf(sample) > best.worth ? { atMs: sample.atMs, worth: worthOf(sample) } : best),
    { atMs: middleOf(span), worth: 0 },
  );
}

/** How well a picture represents its shot: bright enough, not overexposed, and as sharp as possible. */
function worthOf({ brightness, sharpness }: Sample): number {
  const light = Math.min(1, Math.max(0, (brightness - 24) / 36)) * Math.min(1, Math.max(0, (240 - brightness) / 20));
  return light * (0.05 + sharpness);
}

function coloursOf(samples: readonly Sample[]): number[] {
  const sum = new Float64Array(bins);
  for (const { colours } of samples) colours.forEach((share, bin) => (sum[bin] = (sum[bin] ?? 0) + share));
  return [...sum].map((share) => Math.round((share / Math.max(1, samples.length)) * 1_000));
}

/** Share of the steps in which the picture moves in the more frequent direction. */
function panOf(samples: readonly Sample[]): number {
  const shifts = samples.slice(1).map((sample, index) => shiftBetween(samples[index] ?? sample, sample));
  const left = shifts.filter((shift) => shift < 0).length;
  const right = shifts.filter((shift) => shift > 0).length;
  return shifts.length === 0 ? 0 : Math.max(left, right) / shifts.length;
}

/** Columns that the picture as a whole has moved from one sample to the next; 0 without evidence of a movement. */
function shiftBetween(a: Sample, b: Sample): number {
  const still = mismatch(a.columns, b.columns, 0);
  if (still < 1.5) return 0;
  let [best, least] = [0, still];
  for (let shift = -FARTHEST; shift <= FARTHEST; shift++) {
    const here = mismatch(a.columns, b.columns, shift);
    if (here < least) [best, least] = [shift, here];
  }
  return least < still * 0.4 ? best : 0;
}

/** Mean difference of two rows of columns, the second moved by `shift`. */
function mismatch(a: Float64Array, b: Float64Array, shift: number): number {
  let sum = 0;
  const [from, to] = [Math.max(0, shift), Math.min(SAMPLE_WIDTH, SAMPLE_WIDTH + shift)];
  for (let x = from; x < to; x++) sum += Math.abs((a[x] ?? 0) - (b[x - shift] ?? 0));
  return sum / (to - from);
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
