/** How loud sound is in the band of speech, step by step. */

/** Envelopes have one value for so many milliseconds. */
export const STEP_MS = 10;
/** Of full scale; below it is silence. */
export const MIN_LEVEL = 0.002;

/** An envelope that is fed sample by sample (16 bit); its levels are parts of full scale. */
export function createEnvelope(sampleRate: number) {
  const size = Math.round((sampleRate * STEP_MS) / 1_000);
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

/** The envelope of sound as a whole. */
export function envelopeOf(samples: Int16Array, sampleRate: number): number[] {
  const { add, levels } = createEnvelope(sampleRate);
  for (const sample of samples) add(sample);
  return levels;
}
