/** Elements of a Matroska or WebM file (RFC 8794), parsed and written again in another form. */

export type Element = {
  id: number;
  body: Buffer;
  children?: Element[];
  /** The size is written as unknown, as in a live recording. */
  unknown?: boolean;
};

export const ids = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  duration: 0x4489,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackType: 0x83,
  trackNumber: 0xd7,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  defaultDuration: 0x23e383,
  contentEncodings: 0x6d80,
  contentEncoding: 0x6240,
  contentCompression: 0x5034,
  contentCompAlgo: 0x4254,
  contentCompSettings: 0x4255,
  cluster: 0x1f43b675,
  clusterTime: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
  cues: 0x1c53bb6b,
  nothing: 0xec,
} as const;

const opened: ReadonlySet<number> = new Set([
  ids.segment,
  ids.info,
  ids.tracks,
  ids.trackEntry,
  ids.cluster,
  ids.blockGroup,
]);

export function readElements(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const idLength = Math.clz32(bytes[at] ?? 0) - 23;
    const id = bytes.readUIntBE(at, idLength);
    const { value, length } = readSize(bytes, at + idLength);
    const from = at + idLength + length;
    const content = bytes.subarray(from, value === undefined ? undefined : from + value);
    elements.push(
      opened.has(id)
        ? { id, body: Buffer.alloc(0), children: readElements(content) }
        : { id, body: Buffer.from(content) },
    );
    at = from + content.length;
  }
  return elements;
}

/** A number of variable length; undefined where all its bits are set. */
function readSize(bytes: Buffer, at: number): { value: number | undefined; length: number } {
  const length = Math.clz32(bytes[at] ?? 0) - 23;
  const ones = 2 ** (7 * length) - 1;
  let value = (bytes[at] ?? 0) & (0xff >> length);
  for (let index = 1; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return { value: value === ones ? undefined : value, length };
}

export function writeElements(elements: readonly Element[]): Buffer {
  return Buffer.concat(elements.map(bytesOf));
}

function bytesOf({ id, body, children = [], unknown }: Element): Buffer {
  const content = Buffer.concat([body, ...children.map(bytesOf)]);
  const head = Buffer.from(id.toString(16).padStart(2, '0'), 'hex');
  const size = unknown ? Buffer.from('01ffffffffffffff', 'hex') : sizeBytes(content.length);
  return Buffer.concat([head, size, content]);
}

function sizeBytes(value: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(value));
  size[0] = 1;
  return size;
}

/** The same elements without those of some ids, and without an index, whose positions would be wrong. */
export function without(elements: readonly Element[], ...gone: readonly number[]): Element[] {
  const left = [...gone, ids.seekHead, ids.cues];
  return elements
    .filter(({ id }) => !left.includes(id))
    .map((one) => (one.children ? { ...one, children: without(one.children, ...gone) } : one));
}

/** The number of the track of a type: 1 for pictures, 2 for sound. */
export function trackNumber(elements: readonly Element[], type: 1 | 2): number {
  const entry = trackEntry(elements, type);
  return elementOf([entry], ids.trackNumber).body[0] ?? 0;
}

export function trackEntry(elements: readonly Element[], type: 1 | 2): Element {
  const found = elementsOf(elements, ids.trackEntry).find((one) => elementOf([one], ids.trackType).body[0] === type);
  if (!found) throw new Error(`there is no track of type ${type}`);
  return found;
}

/** All elements of an id, at any depth that is opened. */
export function elementsOf(elements: readonly Element[], id: number): Element[] {
  return elements.flatMap((one) => [...(one.id === id ? [one] : []), ...elementsOf(one.children ?? [], id)]);
}

export function elementOf(elements: readonly Element[], id: number): Element {
  const [found] = elementsOf(elements, id);
  if (!found) throw new Error(`there is no element ${id.toString(16)}`);
  return found;
}
