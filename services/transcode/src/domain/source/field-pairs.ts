/**
 * Whether a packet of H.264 begins a picture. Interlaced pictures may be coded as two fields, and some muxers give each
 * of them a packet of its own: the second one completes the picture of the first. Only headers are read.
 */
import { readBits, type BitReader } from '../bit-reader.ts';
import type { PacketReader, showsOf } from './hidden-pictures.ts';

/** What a slice's header depends on (ITU-T H.264 §7.3.2.1.1). */
type SequenceSet = {
  readonly separatePlanes: boolean;
  readonly frameNumberBits: number;
  readonly framesOnly: boolean;
};

type Field = { readonly frame: number; readonly bottom: boolean };

type Unit = { readonly type: number; readonly body: Buffer };

const [sliceUnit, partitionUnit, keyUnit, sequenceUnit, pictureUnit] = [1, 2, 5, 7, 8];
/** Profiles whose parameter sets declare the format of the samples (§7.3.2.1.1). */
const highProfiles = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]);
/** Enough for a slice's header, and for nearly every parameter set. */
const HEAD_BYTES = 256;
/** More units than any picture consists of. */
const MAX_UNITS = 1_024;

/**
 * The test for the packets of a stream, which takes them in decode order.
 * @param configuration the stream's `AVCDecoderConfigurationRecord` (ISO/IEC 14496-15 §5.3.3)
 * @returns undefined if the packets are not in the form that it describes
 */
export function createFieldPairs(configuration: Buffer): ReturnType<typeof showsOf> {
  if (configuration[0] !== 1 || configuration.length < 7) return undefined;
  const lengthBytes = ((configuration[4] ?? 0) & 3) + 1;
  const sets = createSets();
  for (const unit of configuredUnits(configuration)) sets.add(unit);
  let open: Field | undefined;
  return (read, bytes) => {
    const fields = fieldsOf(unitsOf(read, bytes, lengthBytes), sets);
    const [first] = fields;
    if (!first || fields.some(({ bottom }) => bottom !== first.bottom)) {
      open = undefined;
      return true;
    }
    const completes = open !== undefined && open.bottom !== first.bottom && open.frame === first.frame;
    open = completes ? undefined : first;
    return !completes;
  };
}

/** The parameter sets of the configuration record. */
function* configuredUnits(record: Buffer): Generator<Unit> {
  let at = 5;
  for (const mask of [0x1f, 0xff])
    for (let left = (record[at++] ?? 0) & mask; left > 0 && at + 2 < record.length; left--) {
      const end = at + 2 + record.readUInt16BE(at);
      yield unitOf(record.subarray(at + 2, end));
      at = end;
    }
}

function unitOf(bytes: Buffer): Unit {
  return { type: (bytes[0] ?? 0) & 0x1f, body: bytes.subarray(1) };
}

/** The beginnings of a packet's units. */
function* unitsOf(read: PacketReader, bytes: number, lengthBytes: number): Generator<Unit> {
  let chunk = read(0, Math.min(bytes, HEAD_BYTES));
  let from = 0;
  for (let at = 0, units = 0; at + lengthBytes < bytes && units < MAX_UNITS; units++) {
    if (at - from + lengthBytes + HEAD_BYTES > chunk.length && from + chunk.length < bytes) {
      from = at;
      chunk = read(at, Math.min(bytes - at, lengthBytes + HEAD_BYTES));
    }
    if (chunk.length < at - from + lengthBytes) return;
    const length = chunk.readUIntBE(at - from, lengthBytes);
    const body = at - from + lengthBytes;
    yield unitOf(chunk.subarray(body, Math.min(body + length, body + HEAD_BYTES)));
    at += lengthBytes + length;
  }
}

/** The parameter sets that have appeared. */
function createSets() {
  const sequences = new Map<number, SequenceSet>();
  const pictures = new Map<number, number>();
  return {
    add: ({ type, body }: Unit): void => {
      if (type === sequenceUnit) sequences.set(...readSequence(body));
      if (type !== pictureUnit) return;
      const bits = readBits(body);
      pictures.set(bits.unsigned(), bits.unsigned());
    },
    of: (picture: number): SequenceSet | undefined => sequences.get(pictures.get(picture) ?? -1),
  };
}

function readSequence(body: Buffer): [id: number, set: SequenceSet] {
  const bits = readBits(body);
  const profile = bits.bits(8);
  bits.bits(16);
  const id = bits.unsigned();
  const separatePlanes = highProfiles.has(profile) && readSampleFormat(bits);
  const frameNumberBits = bits.unsigned() + 4;
  skipOrderCount(bits);
  bits.unsigned();
  bits.flag();
  bits.unsigned();
  bits.unsigned();
  return [id, { separatePlanes, frameNumberBits, framesOnly: bits.flag() }];
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

/** The fields that a packet's slices belong to; none if it holds a whole picture. */
function fieldsOf(units: Iterable<Unit>, sets: ReturnType<typeof createSets>): Field[] {
  const fields: Field[] = [];
  for (const unit of units) {
    if (unit.type === sequenceUnit || unit.type === pictureUnit) sets.add(unit);
    if (![sliceUnit, partitionUnit, keyUnit].includes(unit.type)) continue;
    const field = readSlice(unit.body, sets);
    if (!field) return [];
    fields.push(field);
  }
  return fields;
}

/** §7.3.3. */
function readSlice(body: Buffer, sets: ReturnType<typeof createSets>): Field | undefined {
  const bits = readBits(body.subarray(0, 32));
  bits.unsigned();
  bits.unsigned();
  const set = sets.of(bits.unsigned());
  if (!set || set.framesOnly) return undefined;
  if (set.separatePlanes) bits.bits(2);
  const frame = bits.bits(set.frameNumberBits);
  return bits.flag() ? { frame, bottom: bits.flag() } : undefined;
}
