/**
 * Whether a packet of H.264 begins a picture. Interlaced pictures may be coded as two fields, and some muxers give each
 * of them a packet of its own: the second one completes the picture of the first. Only headers are read.
 */
import { readBits } from '../bit-reader.ts';
import {
  configuredUnits,
  lengthBytesOf,
  readSequence,
  unitOf,
  unitTypes,
  type SequenceSet,
  type Unit,
} from './avc-sequence.ts';
import type { PacketReader, showsOf } from './hidden-pictures.ts';

type Field = { readonly frame: number; readonly bottom: boolean };

const slices = new Set<number>([unitTypes.slice, unitTypes.partition, unitTypes.key]);
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
  const lengthBytes = lengthBytesOf(configuration);
  if (lengthBytes === undefined) return undefined;
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
      if (type === unitTypes.sequence) sequences.set(...readSequence(body));
      if (type !== unitTypes.picture) return;
      const bits = readBits(body);
      pictures.set(bits.unsigned(), bits.unsigned());
    },
    of: (picture: number): SequenceSet | undefined => sequences.get(pictures.get(picture) ?? -1),
  };
}

/** The fields that a packet's slices belong to; none if it holds a whole picture. */
function fieldsOf(units: Iterable<Unit>, sets: ReturnType<typeof createSets>): Field[] {
  const fields: Field[] = [];
  for (const unit of units) {
    if (unit.type === unitTypes.sequence || unit.type === unitTypes.picture) sets.add(unit);
    if (!slices.has(unit.type)) continue;
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
