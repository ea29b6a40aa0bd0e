/**
 * Whether headers within H.264 or H.265 change and are not repeated. Players keep what they have read; a copy of a part
 * has only the container's headers, and would show wrong pictures without any error.
 */
import type { PacketReader } from './hidden-pictures.ts';

/** Headers precede the picture; of larger ones the beginning is compared. */
const MAX_BYTES = 4_096;
const LENGTH_BYTES = 4;

/** What all key packets of a stream have in common. */
export type KeyUnits = {
  /** Whether each is an IDR picture: nothing behind it refers to anything before it (ITU-T H.264 §3.69). */
  readonly refresh: boolean;
  /** Whether headers within them never change. */
  readonly steady: boolean;
  /** Those headers; undefined if there are none. */
  readonly headers: string | undefined;
};

/** ITU-T H.264 table 7-1, ITU-T H.265 table 7-1. */
const refreshes: Readonly<Record<string, (first: number) => boolean>> = {
  h264: (first) => (first & 0x1f) === 5,
  hevc: (first) => [19, 20].includes((first >> 1) & 0x3f),
};

type Unit = 'header' | 'picture' | 'other';

/** Kinds of units: ITU-T H.264 table 7-1, ITU-T H.265 table 7-1. */
const kinds: Readonly<Record<string, (first: number) => Unit>> = {
  h264: (first) => kindOf(first & 0x1f, [7, 8], [1, 5]),
  hevc: (first) => kindOf((first >> 1) & 0x3f, [32, 34], [0, 31]),
};

type Range = readonly [first: number, last: number];

function kindOf(type: number, headers: Range, pictures: Range): Unit {
  if (type >= headers[0] && type <= headers[1]) return 'header';
  return type >= pictures[0] && type <= pictures[1] ? 'picture' : 'other';
}

/**
 * Follows the headers within key packets, in the file's order.
 * @returns undefined for codecs whose headers are part of every key picture
 */
export function followParameterSets(codec: string) {
  const kind = kinds[codec];
  if (!kind) return undefined;
  let inForce: string | undefined;
  let changed = false;
  let lacking = false;
  let refresh = true;
  return {
    addKey: (read: PacketReader, bytes: number): void => {
      const { headers, first } = headersOf(read(0, Math.min(bytes, MAX_BYTES)), kind);
      refresh &&= refreshes[codec]?.(first) === true;
      if (headers === '') lacking ||= changed;
      else {
        changed ||= inForce !== undefined && headers !== inForce;
        inForce = headers;
      }
    },
    /** Whether a key picture depends on headers that have changed before it. */
    areLacking: (): boolean => lacking,
    result: (): KeyUnits => ({ refresh, steady: !changed, headers: inForce }),
  };
}

/** All headers before the first picture of a packet whose units follow their lengths, and the first byte of that picture. */
function headersOf(packet: Buffer, kind: (first: number) => Unit) {
  const headers: string[] = [];
  let first = 0;
  for (let at = 0; at + LENGTH_BYTES < packet.length;) {
    const end = at + LENGTH_BYTES + packet.readUInt32BE(at);
    const unit = kind(packet[at + LENGTH_BYTES] ?? 0);
    if (unit === 'picture') {
      first = packet[at + LENGTH_BYTES] ?? 0;
      break;
    }
    if (unit === 'header') headers.push(packet.toString('latin1', at + LENGTH_BYTES, end));
    at = end;
  }
  return { headers: headers.join('\n'), first };
}
