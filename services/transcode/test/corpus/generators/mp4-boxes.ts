/** Boxes of an mp4 or mov file (ISO/IEC 14496-12 §4.2), parsed and written again in another form. */

export type Box = {
  type: string;
  /** The fields before the children, or the whole content. */
  body: Buffer;
  children?: Box[];
  /** Bytes behind the last child. */
  tail?: Buffer;
  /** How the size is written: in 32 bits, in 64 bits, or as 0, which means up to the end of the file. */
  size?: 'short' | 'long' | 'open';
  /** Where the content began when the box was read. */
  origin?: number;
};

/** Boxes that are opened, with the bytes before their first child. */
const opened: Readonly<Record<string, number>> = {
  ...{ moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, edts: 0, mvex: 0, moof: 0, traf: 0, stsd: 8 },
  ...{ avc1: 78, avc3: 78, hvc1: 78, hev1: 78, av01: 78 },
};

export function readBoxes(bytes: Buffer, from = 0): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const small = bytes.readUInt32BE(at);
    const head = small === 1 ? 16 : 8;
    const size = small === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : small === 0 ? bytes.length - at : small;
    const type = bytes.toString('latin1', at + 4, at + 8);
    const content = bytes.subarray(at + head, at + size);
    const inner = opened[type];
    boxes.push(
      inner === undefined
        ? { type, body: Buffer.from(content), origin: from + at + head }
        : {
            type,
            body: Buffer.from(content.subarray(0, inner)),
            children: readBoxes(content.subarray(inner), from + at + head + inner),
          },
    );
    at += Math.max(8, size);
  }
  return boxes;
}

/** Writes boxes; where `mdat` has moved, chunk offsets are adjusted. */
export function writeBoxes(boxes: readonly Box[]): Buffer {
  let at = 0;
  const moved: { readonly from: number; readonly to: number; readonly by: number }[] = [];
  for (const box of boxes) {
    const from = box.origin;
    if (box.type === 'mdat' && from !== undefined)
      moved.push({ from, to: from + box.body.length, by: at + headOf(box) - from });
    at += sizeOf(box);
  }
  for (const box of boxesOf(boxes, 'stco')) shift(box, 4, moved);
  for (const box of boxesOf(boxes, 'co64')) shift(box, 8, moved);
  return Buffer.concat(boxes.map(bytesOf));
}

function headOf({ size }: Box): number {
  return size === 'long' ? 16 : 8;
}

function sizeOf(box: Box): number {
  const own = headOf(box) + box.body.length + (box.tail?.length ?? 0);
  return own + (box.children ?? []).reduce((sum, child) => sum + sizeOf(child), 0);
}

/** All boxes of a type, at any depth. */
export function boxesOf(boxes: readonly Box[], type: string): Box[] {
  return boxes.flatMap((box) => [...(box.type === type ? [box] : []), ...boxesOf(box.children ?? [], type)]);
}

function shift(
  { body }: Box,
  width: 4 | 8,
  moved: readonly { readonly from: number; readonly to: number; readonly by: number }[],
): void {
  for (let at = 8; at + width <= body.length; at += width) {
    const offset = width === 4 ? body.readUInt32BE(at) : Number(body.readBigUInt64BE(at));
    const by = moved.find(({ from, to }) => offset >= from && offset < to)?.by ?? 0;
    if (width === 4) body.writeUInt32BE(offset + by, at);
    else body.writeBigUInt64BE(BigInt(offset + by), at);
  }
}

function bytesOf(box: Box): Buffer {
  const head = Buffer.alloc(headOf(box));
  const size = sizeOf(box);
  head.writeUInt32BE(box.size === 'long' ? 1 : box.size === 'open' ? 0 : size, 0);
  head.write(box.type, 4, 'latin1');
  if (box.size === 'long') head.writeBigUInt64BE(BigInt(size), 8);
  return Buffer.concat([head, box.body, ...(box.children ?? []).map(bytesOf), box.tail ?? Buffer.alloc(0)]);
}

/** The track whose handler is `vide` or `soun`. */
export function trackOf(boxes: readonly Box[], handler: string): Box {
  const found = boxesOf(boxes, 'trak').find(
    ({ children = [] }) => boxOf(children, 'hdlr').body.toString('latin1', 8, 12) === handler,
  );
  if (!found) throw new Error(`there is no track of ${handler}`);
  return found;
}

/** The one box of a type. */
export function boxOf(boxes: readonly Box[], type: string): Box {
  const [found] = boxesOf(boxes, type);
  if (!found) throw new Error(`there is no ${type}`);
  return found;
}

/** A full box of 32-bit numbers. */
export function fullBox(type: string, ...numbers: readonly number[]): Box {
  const body = Buffer.alloc(numbers.length * 4);
  numbers.forEach((number, index) => body.writeUInt32BE(number >>> 0, index * 4));
  return { type, body };
}
