/** The colours that an H.264 stream declares, in its sequence parameter set's video usability information. */
import { AppError } from '@vds/chassis/errors';
import { readBits, type BitReader } from '../bit-reader.ts';
import { decoderConfiguration } from './init-segment.ts';

/** Code points of ITU-T H.273; 2 if the stream does not declare one. */
export type Colours = {
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
};

const unspecified: Colours = { fullRange: false, primaries: 2, transfer: 2, matrix: 2 };

/** Profiles whose parameter set begins with the sampling of colours (ITU-T H.264 §7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244]);

/** Whether a rendition has the colours that every rendition must have. */
export function isStandard(colours: Colours | null): boolean {
  if (!colours) return false;
  const { fullRange, primaries, transfer, matrix } = colours;
  return !fullRange && primaries === 1 && transfer === 1 && matrix === 1;
}

/**
 * Reads the colours out of an init segment's decoder configuration (ISO/IEC 14496-15 §5.3.3).
 * @throws AppError INTERNAL for a stream that our encoder does not write
 */
export function coloursOf(init: Buffer): Colours {
  const { at } = decoderConfiguration(init);
  const length = init.readUInt16BE(at + 6);
  const reader = readBits(init.subarray(at + 8, at + 8 + length));
  reader.bits(8);
  const profile = reader.bits(8);
  reader.bits(16);
  reader.unsigned();
  if (highProfiles.has(profile)) skipHighProfile(reader);
  skipToUsability(reader);
  return reader.flag() ? readUsability(reader) : unspecified;
}

function skipHighProfile({ flag, unsigned }: BitReader): void {
  if (unsigned() === 3) flag();
  unsigned();
  unsigned();
  flag();
  // Our encoder never sends scaling matrices.
  if (flag()) throw new AppError('INTERNAL', 'unexpected scaling matrix in a parameter set');
}

function skipToUsability({ bits, flag, unsigned }: BitReader): void {
  unsigned();
  const orderType = unsigned();
  if (orderType === 0) unsigned();
  if (orderType === 1) throw new AppError('INTERNAL', 'unexpected order of pictures in a parameter set');
  unsigned();
  bits(1);
  unsigned();
  unsigned();
  if (!flag()) bits(1);
  bits(1);
  if (flag()) for (let side = 0; side < 4; side++) unsigned();
}

function readUsability({ bits, flag }: BitReader): Colours {
  const extendedAspect = 255;
  if (flag() && bits(8) === extendedAspect) bits(32);
  if (flag()) bits(1);
  if (!flag()) return unspecified;
  bits(3);
  const fullRange = flag();
  if (!flag()) return { ...unspecified, fullRange };
  return { fullRange, primaries: bits(8), transfer: bits(8), matrix: bits(8) };
}
