/** The colours that a rendition of H.264 declares. */
import { sequencesOf, type Colours } from '../source/avc-sequence.ts';
import { decoderConfiguration } from './init-segment.ts';

/** Read from an init segment's decoder configuration; null without one that declares any. */
export function coloursOf(init: Buffer): Colours | null {
  return sequencesOf(init.subarray(decoderConfiguration(init).at))[0]?.colours ?? null;
}
