/** The clock of the audio rendition, and of what is decoded for it. */
import type { AudioStream } from '../source/probe.ts';

export const AUDIO_SAMPLE_RATE = 48_000;
/** Samples of an AAC frame. */
export const AUDIO_FRAME = 1_024;
/** Samples behind a chunk that its last frame depends on. */
export const LOOKAHEAD = 4 * AUDIO_FRAME;
/** Decoded sound keeps its rate, and so nothing is resampled before the second program; speech at 8 kHz is the exception. */
const MIN_RATE = 32_000;

/** Samples a second of what the first program delivers. */
export function decodedRate({ sampleRate }: AudioStream): number {
  return sampleRate < MIN_RATE ? AUDIO_SAMPLE_RATE : sampleRate;
}
