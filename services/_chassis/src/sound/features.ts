/**
 * Measurements of each second of sound, computed while streaming: only the spectra of one second are kept.
 *
 * - level: decibels below full scale, -100 for none
 * - flatness: 0 to 100; noise of any colour has about 55, tones little
 * - modulation: how much the voice's band rises and falls within the second, in tenths of a decibel; speech has a lot
 * - steadiness: 0 to 100; how much the peaks of the spectrum stay where they are for an eighth of a second, as in music
 * - quiet: 0 to 100; share of the second that is much quieter than the rest of it, as between syllables
 */
import { correlation, meanOf } from '../statistics.ts';
import { powerSpectrum, SPECTRUM_SIZE } from './spectrum.ts';

/** One second of sound: the numbers above. */
export type AnalyzedSecond = readonly [
  level: number,
  flatness: number,
  modulation: number,
  steadiness: number,
  quiet: number,
];

export const SOUND_RATE = 16_000;
/** A frame of 31.25 ms. */
const FRAME_SAMPLES = 500;
const FRAMES_PER_SECOND = SOUND_RATE / FRAME_SAMPLES;
const binHz = SOUND_RATE / 2 / SPECTRUM_SIZE;

const [voiceFrom, voiceTo] = [binOf(300), binOf(3_400)];
const [shapeFrom, shapeTo] = [binOf(200), binOf(6_000)];
/** Bins on either side, with whose mean a bin is compared. */
const SMOOTHING = 10;
const FLOOR = 1e-10;

type FrameFeatures = {
  readonly power: number;
  readonly voice: number;
  readonly flatness: number;
  /** How far each bin rises above its neighbourhood, in natural logarithms. */
  readonly shape: Float64Array;
};

const LAG = FRAMES_PER_SECOND / 8;

/** Measures mono sound at `soundRate`, sample by sample. A last part of less than half a second is left out. */
export function soundMeter() {
  const seconds: AnalyzedSecond[] = [];
  const frame = new Float64Array(FRAME_SAMPLES);
  let filled = 0;
  let frames: FrameFeatures[] = [];
  const close = (): void => {
    seconds.push(measureSecond(frames));
    frames = [];
  };
  return {
    /** @param value from -32768 to 32767 */
    add: (value: number): void => {
      frame[filled++] = value / 32_768;
      if (filled < FRAME_SAMPLES) return;
      filled = 0;
      frames.push(measureFrame(frame));
      if (frames.length === FRAMES_PER_SECOND) close();
    },
    end: (): readonly AnalyzedSecond[] => {
      if (frames.length >= FRAMES_PER_SECOND / 2) close();
      return seconds;
    },
  };
}

function measureSecond(frames: readonly FrameFeatures[]): AnalyzedSecond {
  const power = meanOf(frames.map((frame) => frame.power));
  const voices = frames.map(({ voice }) => Math.max(-60, decibels(voice)));
  const middle = meanOf(voices);
  const spread = Math.sqrt(meanOf(voices.map((value) => (value - middle) ** 2)));
  const loud = meanOf(frames.map(({ voice }) => Math.sqrt(voice)));
  const steady = frames.slice(LAG).map((frame, index) => correlation(frames[index]?.shape ?? frame.shape, frame.shape));
  const quiet = frames.filter(({ voice }) => Math.sqrt(voice) < 0.5 * loud).length;
  const whole = (value: number, from: number, to: number): number => Math.round(Math.max(from, Math.min(to, value)));
  return [
    whole(decibels(power), -100, 0),
    whole(100 * meanOf(frames.map(({ flatness }) => flatness)), 0, 100),
    whole(10 * spread, 0, 600),
    whole(100 * meanOf(steady), 0, 100),
    whole((100 * quiet) / Math.max(1, frames.length), 0, 100),
  ];
}

function decibels(power: number): number {
  return 10 * Math.log10(power + FLOOR);
}

function measureFrame(samples: Float64Array): FrameFeatures {
  const spectrum = powerSpectrum(samples);
  const shape = shapeOf(spectrum);
  const voice = spectrum.subarray(voiceFrom, voiceTo).reduce((sum, power) => sum + power, 0);
  return {
    power: samples.reduce((sum, value) => sum + value * value, 0) / samples.length,
    voice,
    flatness: Math.exp(meanOf(shape)),
    shape,
  };
}

/** Every bin against the mean of its neighbourhood: the spectrum without its overall slope. */
function shapeOf(spectrum: Float64Array): Float64Array {
  const sums = new Float64Array(spectrum.length + 1);
  spectrum.forEach((power, bin) => (sums[bin + 1] = (sums[bin] ?? 0) + power + FLOOR));
  return Float64Array.from({ length: shapeTo - shapeFrom }, (_bin, index) => {
    const bin = index + shapeFrom;
    const [from, to] = [Math.max(0, bin - SMOOTHING), Math.min(spectrum.length, bin + SMOOTHING + 1)];
    const mean = ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
    return Math.log(((spectrum[bin] ?? 0) + FLOOR) / mean);
  });
}

function binOf(hertz: number): number {
  return Math.round(hertz / binHz);
}
