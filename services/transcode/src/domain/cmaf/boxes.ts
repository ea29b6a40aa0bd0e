/** ISO BMFF boxes (ISO/IEC 14496-12 §4.2) as byte ranges of a buffer: reading, finding and writing them. */
import { AppError } from '@vds/chassis/errors';

export type Box = {
  readonly type: string;
  /** Offset of the box's first byte. */
  readonly start: number;
  /** Offset of the first byte after the header. */
  readonly body: number;
  /** Offset after the box's last byte. */
  readonly end: number;
};

/** As `findBox`, for a box that our encoder always writes. */
export function requireBox(bytes: Buffer, path: string, from = 0, to = bytes.length): Box {
  const box = findBox(bytes, path, from, to);
  if (!box) throw malformed(`no ${path}`);
  return box;
}

/**
 * The first box at the end of a path of types, such as `moov/trak/mdia`.
 * @returns undefined if there is none
 */
export function findBox(bytes: Buffer, path: string, from = 0, to = bytes.length): Box | undefined {
  const [first, ...rest] = path.split('/');
  const box = childBoxes(bytes, from, to).find((child) => child.type === first);
  return box && rest.length > 0 ? findBox(bytes, rest.join('/'), box.body, box.end) : box;
}

/** The boxes directly between `from` and `to`. */
export function childBoxes(bytes: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at < to;) {
    const box = readBoxHeader(bytes, at);
    if (!box || box.end > to) throw malformed('a child reaches beyond its parent');
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

/**
 * Reads one box header.
 * @returns undefined if fewer bytes than a full header are left
 * @throws AppError INTERNAL for a size smaller than the header
 */
export function readBoxHeader(bytes: Buffer, at: number): Box | undefined {
  if (bytes.length - at < 8) return undefined;
  const type = bytes.toString('latin1', at + 4, at + 8);
  const small = bytes.readUInt32BE(at);
  if (small !== 1) {
    if (small < 8) throw malformed(`${type} of ${small} bytes`);
    return { type, start: at, body: at + 8, end: at + small };
  }
  if (bytes.length - at < 16) return undefined;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  if (large < 16) throw malformed(`${type} of ${large} bytes`);
  return { type, start: at, body: at + 16, end: at + large };
}

function malformed(what: string): AppError {
  return new AppError('INTERNAL', `malformed box: ${what}`);
}

/** A full box: `version` and 24 bits of `flags` before its fields. */
export function makeFullBox(type: string, version: number, flags: number, ...parts: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(((version << 24) | flags) >>> 0, 0);
  return makeBox(type, head, ...parts);
}

/** A box of `type` around `parts`. */
export function makeBox(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const header = Buffer.alloc(8);
  const size = parts.reduce((sum, part) => sum + part.length, 8);
  header.writeUInt32BE(size, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...parts], size);
}

/** 32-bit big-endian fields in a row; negative numbers in two's complement. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, index * 4));
  return bytes;
}
