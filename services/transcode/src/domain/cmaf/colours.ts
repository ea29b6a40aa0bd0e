/** The colours that an H.264 stream declares, in its sequence parameter set's video usability information. */
import { AppError } from '@vds/chassis/errors';
import { decoderConfiguration } from './init-segment.ts';

/** Code points of ITU-T H.273; 2 where the stream does not declare one. */
export type Colours = {
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
};

const unspecified: Colours = { fullRange: false, primaries: 2, transfer: 2, matrix: 2 };

type Bits = ReturnType<typeof bitReader>;

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
  const reader = bitReader(unescape(init.subarray(at + 8, at + 8 + length)));
  reader.bits(8);
  const profile = reader.bits(8);
  reader.bits(16);
  reader.golomb();
  if (highProfiles.has(profile)) skipHighProfile(reader);
  skipToUsability(reader);
  return reader.flag() ? readUsability(reader) : unspecified;
}

/** Reads fields of bits and Exp-Golomb codes (ITU-T H.264 §7.2, §9.1). */
function bitReader(bytes: Buffer) {
  let at = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let index = 0; index < count; index++, at++)
      value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1);
    return value;
  };
  const flag = (): boolean => bits(1) === 1;
  const golomb = (): number => {
    let zeros = 0;
    while (zeros < 32 && !flag()) zeros++;
    return 2 ** zeros - 1 + bits(zeros);
  };
  return { bits, flag, golomb };
}

/** Removes the bytes that keep a payload free of start codes (ITU-T H.264 §7.4.1). */
function unescape(nal: Buffer): Buffer {
  return Buffer.from(nal.filter((byte, at) => !(byte === 3 && at >= 2 && nal[at - 1] === 0 && nal[at - 2] === 0)));
}

function skipHighProfile({ flag, golomb }: Bits): void {
  if (golomb() === 3) flag();
  golomb();
  golomb();
  flag();
  // Our encoder never sends scaling matrices.
  if (flag()) throw new AppError('INTERNAL', 'unexpected scaling matrix in a parameter set');
}

function skipToUsability({ bits, flag, golomb }: Bits): void {
  golomb();
  const orderType = golomb();
  if (orderType === 0) golomb();
  if (orderType === 1) throw new AppError('INTERNAL', 'unexpected order of pictures in a parameter set');
  golomb();
  bits(1);
  golomb();
  golomb();
  if (!flag()) bits(1);
  bits(1);
  if (flag()) for (let side = 0; side < 4; side++) golomb();
}

function readUsability({ bits, flag }: Bits): Colours {
  const extendedAspect = 255;
  if (flag() && bits(8) === extendedAspect) bits(32);
  if (flag()) bits(1);
  if (!flag()) return unspecified;
  bits(3);
  const fullRange = flag();
  if (!flag()) return { ...unspecified, fullRange };
  return { fullRange, primaries: bits(8), transfer: bits(8), matrix: bits(8) };
}
