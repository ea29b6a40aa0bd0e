/** The pitch of a voice, step by step: the autocorrelation of short frames. */

/** Pitches have one value for so many milliseconds; 0 where no voice is heard. */
export const PITCH_STEP_MS = 20;
/** Of full scale; softer sound has no pitch. */
const MIN_LEVEL = 0.01;
/** Part of a frame's power that repeats with its pitch; noise, music of several tones and a crowd repeat less. */
const MIN_PERIODICITY = 0.75;
/** Of two periods that fit nearly as well the shorter one is the pitch, the other its double. */
const NEARLY = 0.9;
const [MIN_HERTZ, MAX_HERTZ] = [70, 420];
/** Every fourth sample, averaged: enough for a pitch. */
const DECIMATION = 4;
const FRAME_MS = 48;

/** A meter of pitch that is fed sample by sample (16 bit); pitches in Hz. */
export function createPitchMeter(sampleRate: number) {
  const rate = sampleRate / DECIMATION;
  const frame = new Float64Array(Math.round((rate * FRAME_MS) / 1_000));
  const hop = Math.round((rate * PITCH_STEP_MS) / 1_000);
  const pitches: number[] = [];
  let [sum, count, filled] = [0, 0, 0];
  const add = (sample: number): void => {
    sum += sample;
    if (++count < DECIMATION) return;
    frame[filled++] = sum / DECIMATION / 32_768;
    [sum, count] = [0, 0];
    if (filled < frame.length) return;
    pitches.push(pitchOf(frame, rate));
    frame.copyWithin(0, hop);
    filled -= hop;
  };
  return { add, pitches };
}

/** The pitches of sound as a whole. */
export function pitchesOf(samples: Int16Array, sampleRate: number): number[] {
  const { add, pitches } = createPitchMeter(sampleRate);
  for (const sample of samples) add(sample);
  return pitches;
}

/** 0 without a voice. */
function pitchOf(frame: Float64Array, rate: number): number {
  const mean = frame.reduce((total, value) => total + value, 0) / frame.length;
  const samples = frame.map((value) => value - mean);
  if (Math.sqrt(correlated(samples, 0) / samples.length) < MIN_LEVEL) return 0;
  const [shortest, longest] = [Math.floor(rate / MAX_HERTZ), Math.ceil(rate / MIN_HERTZ)];
  const fits = new Float64Array(longest + 2);
  for (let lag = shortest - 1; lag <= longest + 1; lag++) fits[lag] = periodicity(samples, lag);
  const fit = (lag: number): number => fits[lag] ?? 0;
  const peaks: number[] = [];
  for (let lag = shortest; lag <= longest; lag++)
    if (fit(lag) >= MIN_PERIODICITY && fit(lag) >= fit(lag - 1) && fit(lag) > fit(lag + 1)) peaks.push(lag);
  const best = Math.max(0, ...peaks.map(fit));
  const lag = peaks.find((one) => fit(one) >= best * NEARLY);
  return lag === undefined ? 0 : rate / (lag + offset(fit(lag - 1), fit(lag), fit(lag + 1)));
}

function correlated(samples: Float64Array, lag: number): number {
  let sum = 0;
  for (let at = lag; at < samples.length; at++) sum += (samples[at] ?? 0) * (samples[at - lag] ?? 0);
  return sum;
}

/** 1 where the frame repeats after `lag` samples. */
function periodicity(samples: Float64Array, lag: number): number {
  let [both, first, second] = [0, 0, 0];
  for (let at = lag; at < samples.length; at++) {
    const [now, then] = [samples[at] ?? 0, samples[at - lag] ?? 0];
    both += now * then;
    first += now * now;
    second += then * then;
  }
  return both / Math.sqrt(first * second + Number.MIN_VALUE);
}

/** Where the top of the parabola through three values is, from the middle one. */
function offset(before: number, top: number, after: number): number {
  const bend = before - 2 * top + after;
  return bend === 0 ? 0 : (before - after) / (2 * bend);
}
