/** Other ways of writing the same Matroska file (RFC 9559). */
import { elementOf, elementsOf, ids, trackEntry, trackNumber, type Element } from './matroska-elements.ts';

type Lacing = 'xiph' | 'fixed' | 'ebml';
const laceFlags = { xiph: 0x02, fixed: 0x04, ebml: 0x06 } as const;

/** Inserts padding (Void) as every other element. */
export function padded(elements: readonly Element[]): Element[] {
  return elements.map((one) =>
    one.children && one.id !== ids.blockGroup
      ? { ...one, children: padded(one.children).flatMap((child) => [leaf(ids.nothing, Buffer.alloc(7)), child]) }
      : one,
  );
}

function leaf(id: number, body: Buffer | readonly number[]): Element {
  return { id, body: Buffer.from(body) };
}

/** Blocks of pictures and sound in their own block groups, as old muxers wrote them. */
export function grouped(elements: Element[]): Element[] {
  for (const cluster of elementsOf(elements, ids.cluster)) cluster.children = (cluster.children ?? []).map(inGroup);
  return elements;
}

function inGroup(one: Element): Element {
  if (one.id !== ids.simpleBlock) return one;
  const body = Buffer.from(one.body);
  const key = (body[3] ?? 0) & 0x80;
  body[3] = (body[3] ?? 0) & 0x0e;
  // A block that refers to another one is not a key picture: any time but its own works.
  const refers = key ? [] : [leaf(0xfb, [0xff])];
  return { id: ids.blockGroup, body: Buffer.alloc(0), children: [leaf(ids.block, body), ...refers] };
}

/** The picture that is shown last is stored with a length of one tick; for files without sound. */
export function lastOfOneTick(elements: Element[]): Element[] {
  const { children = [] } = elementsOf(elements, ids.cluster).at(-1) ?? {};
  const blocks = children.filter(({ id }) => id === ids.simpleBlock);
  const last = blocks.toSorted((a, b) => a.body.readInt16BE(1) - b.body.readInt16BE(1)).at(-1);
  if (!last) throw new Error('the last cluster has no simple block');
  const group = inGroup(last);
  children[children.indexOf(last)] = { ...group, children: [...(group.children ?? []), leaf(ids.blockDuration, [1])] };
  return elements;
}

/** Stores the first three bytes of every picture once in the header; they must be the same in all pictures. */
export function headerStripped(elements: Element[]): Element[] {
  const track = trackNumber(elements, 1);
  const blocks = elementsOf(elements, ids.simpleBlock).filter(({ body }) => body[0] === (0x80 | track));
  const common = commonStart(blocks.map(({ body }) => body.subarray(4)));
  for (const block of blocks)
    block.body = Buffer.concat([block.body.subarray(0, 4), block.body.subarray(4 + common.length)]);
  const compression: Element = {
    id: ids.contentCompression,
    body: Buffer.alloc(0),
    children: [leaf(ids.contentCompAlgo, [3]), leaf(ids.contentCompSettings, common)],
  };
  const encoding: Element = { id: ids.contentEncoding, body: Buffer.alloc(0), children: [compression] };
  trackEntry(elements, 1).children?.push({ id: ids.contentEncodings, body: Buffer.alloc(0), children: [encoding] });
  return elements;
}

function commonStart(all: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = all;
  let length = 0;
  while (length < first.length && all.every((one) => one[length] === first[length])) length++;
  if (length === 0) throw new Error('the pictures have no first byte in common');
  return first.subarray(0, length);
}

/**
 * Laces up to four neighbouring blocks of sound into one.
 * @param each duration of one of them in nanoseconds
 */
export function laced(elements: Element[], lacing: Lacing, each = 21_333_333): Element[] {
  const duration = Buffer.alloc(4);
  duration.writeUInt32BE(each);
  trackEntry(elements, 2).children?.push(leaf(ids.defaultDuration, duration));
  const track = 0x80 | trackNumber(elements, 2);
  for (const cluster of elementsOf(elements, ids.cluster)) {
    const kept: Element[] = [];
    let waiting: Buffer[] = [];
    const flush = (): void => {
      if (waiting.length > 0) kept.push(leaf(ids.simpleBlock, lace(waiting, lacing)));
      waiting = [];
    };
    for (const one of cluster.children ?? []) {
      const isSound = one.id === ids.simpleBlock && one.body[0] === track;
      const fits = lacing !== 'fixed' || waiting.every(({ length }) => length === one.body.length);
      // Other blocks may contain sound too, and must keep their order.
      if ((isSound && !fits) || one.id === ids.blockGroup) flush();
      if (isSound) waiting.push(one.body);
      else kept.push(one);
      if (waiting.length === 4) flush();
    }
    flush();
    cluster.children = kept;
  }
  elementOf(elements, ids.cluster);
  return elements;
}

function lace(blocks: readonly Buffer[], lacing: Lacing): Buffer {
  const [first] = blocks;
  if (!first || blocks.length === 1) return first ?? Buffer.alloc(0);
  const head = Buffer.from(first.subarray(0, 4));
  head[3] = (head[3] ?? 0) | laceFlags[lacing];
  const frames = blocks.map((block) => block.subarray(4));
  const sizes = frames.slice(0, -1).map(({ length }) => length);
  const written =
    lacing === 'xiph'
      ? sizes.flatMap((size) => [...Array.from({ length: Math.floor(size / 255) }, () => 255), size % 255])
      : lacing === 'ebml'
        ? sizes.flatMap((size, index) => ebmlSize(size, sizes[index - 1]))
        : [];
  return Buffer.concat([head, Buffer.from([frames.length - 1, ...written]), ...frames]);
}

/** The first size as it is, the others as differences, in two bytes each. */
function ebmlSize(size: number, before: number | undefined): number[] {
  const value = before === undefined ? size : size - before + 0x1fff;
  return [0x40 | (value >> 8), value & 0xff];
}

/**
 * H.264 as copied out of AVI: start codes instead of lengths, and the times at which pictures are decoded.
 * @param gap milliseconds between two pictures
 */
export function copiedFromAvi(elements: Element[], gap: number): Element[] {
  const track = trackEntry(elements, 1);
  const headers = headersOf(elementOf([track], ids.codecPrivate).body);
  const bitmap = Buffer.alloc(40);
  bitmap.writeUInt32LE(40, 0);
  bitmap.write('H264', 16, 'latin1');
  const kept = (track.children ?? []).filter(({ id }) => id !== ids.codecId && id !== ids.codecPrivate);
  track.children = [...kept, leaf(ids.codecId, Buffer.from('V_MS/VFW/FOURCC')), leaf(ids.codecPrivate, bitmap)];
  const number = 0x80 | trackNumber(elements, 1);
  let count = 0;
  for (const cluster of elementsOf(elements, ids.cluster)) {
    const time = elementOf([cluster], ids.clusterTime).body;
    const from = time.readUIntBE(0, time.length);
    for (const block of elementsOf([cluster], ids.simpleBlock).filter(({ body }) => body[0] === number)) {
      const head = Buffer.from(block.body.subarray(0, 4));
      head.writeInt16BE(count++ * gap - from, 1);
      const isKey = ((head[3] ?? 0) & 0x80) !== 0;
      block.body = Buffer.concat([
        head,
        ...[...(isKey ? headers : []), ...unitsOf(block.body.subarray(4))].map(withStartCode),
      ]);
    }
  }
  return elements;
}

/** The parameter sets of an AVC configuration (ISO/IEC 14496-15 §5.3.3.1). */
function headersOf(configuration: Buffer): Buffer[] {
  const sequence = 8 + configuration.readUInt16BE(6);
  const picture = sequence + 3 + configuration.readUInt16BE(sequence + 1);
  return [configuration.subarray(8, sequence), configuration.subarray(sequence + 3, picture)];
}

/** Units that follow their lengths of four bytes. */
function unitsOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function withStartCode(unit: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 1]), unit]);
}
