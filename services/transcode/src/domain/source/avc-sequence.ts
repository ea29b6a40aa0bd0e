/** What a decoder of H.264 is told about all pictures: sequence parameter sets (ITU-T H.264 §7.3.2.1.1, annex E). */
import { readBits, type BitReader } from '../bit-reader.ts';

export type SequenceSet = {
  readonly profile: number;
  readonly level: number;
  readonly separatePlanes: boolean;
  readonly frameNumberBits: number;
  /** Whether no picture is coded as fields. */
  readonly framesOnly: boolean;
  readonly colours: Colours;
  /** Whether pixels are square, or nothing is said about them. */
  readonly square: boolean;
};

/** Code points of ITU-T H.273; 2 if the stream does not declare one. */
export type Colours = {
  readonly fullRange: boolean;
  readonly primaries: number;
  readonly transfer: number;
  readonly matrix: number;
};

/** A unit without its first byte, which holds its type. */
export type Unit = { readonly type: number; readonly body: Buffer };

export const unitTypes = { slice: 1, partition: 2, key: 5, sequence: 7, picture: 8 } as const;
const unspecified: Colours = { fullRange: false, primaries: 2, transfer: 2, matrix: 2 };
/** Profiles whose parameter sets declare the format of the samples. */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** Zero is unspecified. */
const SQUARE_ASPECT = 1;
const EXTENDED_ASPECT = 255;

/** Bytes before each unit of a packet that tell its length; undefined for what is no `AVCDecoderConfigurationRecord`. */
export function lengthBytesOf(record: Buffer): number | undefined {
  return record[0] === 1 && record.length >= 7 ? ((record[4] ?? 0) & 3) + 1 : undefined;
}

/** The parameter sets of an `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15 §5.3.3). */
export function* configuredUnits(record: Buffer): Generator<Unit> {
  let at = 5;
  for (const mask of [0x1f, 0xff])
    for (let left = (record[at++] ?? 0) & mask; left > 0 && at + 2 < record.length; left--) {
      const end = at + 2 + record.readUInt16BE(at);
      yield unitOf(record.subarray(at + 2, end));
      at = end;
    }
}

export function unitOf(bytes: Buffer): Unit {
  return { type: (bytes[0] ?? 0) & 0x1f, body: bytes.subarray(1) };
}

/** The sequence parameter sets of a configuration record. */
export function sequencesOf(record: Buffer): SequenceSet[] {
  return [...configuredUnits(record)]
    .filter(({ type }) => type === unitTypes.sequence)
    .map(({ body }) => readSequence(body)[1]);
}

/** @param body of the unit, or its beginning: what is cut off reads as undeclared */
export function readSequence(body: Buffer): [id: number, set: SequenceSet] {
  const bits = readBits(body);
  const profile = bits.bits(8);
  bits.bits(8);
  const level = bits.bits(8);
  const id = bits.unsigned();
  const separatePlanes = highProfiles.has(profile) && readSampleFormat(bits);
  const frameNumberBits = bits.unsigned() + 4;
  skipOrderCount(bits);
  bits.unsigned();
  bits.flag();
  bits.unsigned();
  bits.unsigned();
  const framesOnly = bits.flag();
  if (!framesOnly) bits.flag();
  bits.flag();
  if (bits.flag()) for (let side = 0; side < 4; side++) bits.unsigned();
  const told = bits.flag();
  const square = !told || readSquare(bits);
  const colours = told ? readColours(bits) : unspecified;
  return [id, { profile, level, separatePlanes, frameNumberBits, framesOnly, colours, square }];
}

/** @returns whether the planes are coded separately */
function readSampleFormat(bits: BitReader): boolean {
  const chroma = bits.unsigned();
  const separate = chroma === 3 && bits.flag();
  bits.unsigned();
  bits.unsigned();
  bits.flag();
  if (bits.flag())
    for (let list = 0; list < (chroma === 3 ? 12 : 8); list++)
      if (bits.flag()) skipScalingList(bits, list < 6 ? 16 : 64);
  return separate;
}

/** §7.3.2.1.1.1. */
function skipScalingList(bits: BitReader, size: number): void {
  let [last, next] = [8, 8];
  for (let index = 0; index < size; index++) {
    if (next !== 0) next = (last + bits.signed() + 256) % 256;
    if (next !== 0) last = next;
  }
}

/** The order count's type, and what each type declares. */
function skipOrderCount(bits: BitReader): void {
  const type = bits.unsigned();
  if (type === 0) bits.unsigned();
  if (type !== 1) return;
  bits.flag();
  bits.signed();
  bits.signed();
  for (let left = Math.min(255, bits.unsigned()); left > 0; left--) bits.signed();
}

/** Table E-1. */
function readSquare({ bits, flag }: BitReader): boolean {
  if (!flag()) return true;
  const aspect = bits(8);
  return aspect === EXTENDED_ASPECT ? bits(16) === bits(16) : aspect <= SQUARE_ASPECT;
}

function readColours({ bits, flag }: BitReader): Colours {
  if (flag()) bits(1);
  if (!flag()) return unspecified;
  bits(3);
  const fullRange = flag();
  if (!flag()) return { ...unspecified, fullRange };
  return { fullRange, primaries: bits(8), transfer: bits(8), matrix: bits(8) };
}

/** Whether nothing is declared that contradicts those colours. */
export function mayBeStandard({ fullRange, primaries, transfer, matrix }: Colours): boolean {
  const undeclared = unspecified.matrix;
  return !fullRange && [primaries, transfer, matrix].every((one) => one === 1 || one === undeclared);
}

/** Whether these are the colours that every rendition must have: BT.709, limited range. */
export function isStandard(colours: Colours | null): boolean {
  if (!colours) return false;
  const { fullRange, primaries, transfer, matrix } = colours;
  return !fullRange && primaries === 1 && transfer === 1 && matrix === 1;
}
