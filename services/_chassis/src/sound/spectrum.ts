/** The power spectrum of a short interval of sound (radix-2 FFT after Cooley and Tukey). */

/** Samples of a transform, at 16 kHz. */
export const TRANSFORM_SIZE = 512;
export const SPECTRUM_SIZE = TRANSFORM_SIZE / 2;

const bits = Math.log2(TRANSFORM_SIZE);
const reversed = Uint16Array.from({ length: TRANSFORM_SIZE }, (_place, index) => {
  let [from, to] = [index, 0];
  for (let bit = 0; bit < bits; bit++) {
    to = (to << 1) | (from & 1);
    from >>= 1;
  }
  return to;
});
const cosines = Float64Array.from({ length: SPECTRUM_SIZE }, (_turn, index) =>
  Math.cos((2 * Math.PI * index) / TRANSFORM_SIZE),
);
const sines = Float64Array.from({ length: SPECTRUM_SIZE }, (_turn, index) =>
  Math.sin((2 * Math.PI * index) / TRANSFORM_SIZE),
);

/**
 * @param samples up to `transformSize`, from -1 to 1; a Hann window is applied to them
 * @returns the power of each frequency from 0 to below 8 kHz
 */
export function powerSpectrum(samples: Float64Array): Float64Array {
  const real = new Float64Array(TRANSFORM_SIZE);
  const imaginary = new Float64Array(TRANSFORM_SIZE);
  for (let at = 0; at < samples.length; at++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / samples.length);
    real[reversed[at] ?? 0] = (samples[at] ?? 0) * window;
  }
  transform(real, imaginary);
  return Float64Array.from(
    { length: SPECTRUM_SIZE },
    (_bin, index) => (real[index] ?? 0) ** 2 + (imaginary[index] ?? 0) ** 2,
  );
}

function transform(real: Float64Array, imaginary: Float64Array): void {
  for (let size = 2; size <= TRANSFORM_SIZE; size *= 2) {
    const [half, stride] = [size / 2, TRANSFORM_SIZE / size];
    for (let start = 0; start < TRANSFORM_SIZE; start += size)
      for (let at = 0; at < half; at++) {
        const [low, high] = [start + at, start + at + half];
        const [cosine, sine] = [cosines[at * stride] ?? 0, sines[at * stride] ?? 0];
        const re = (real[high] ?? 0) * cosine + (imaginary[high] ?? 0) * sine;
        const im = (imaginary[high] ?? 0) * cosine - (real[high] ?? 0) * sine;
        real[high] = (real[low] ?? 0) - re;
        imaginary[high] = (imaginary[low] ?? 0) - im;
        real[low] = (real[low] ?? 0) + re;
        imaginary[low] = (imaginary[low] ?? 0) + im;
      }
  }
}
