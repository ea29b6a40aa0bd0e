/**
 * Whether a container's own structure lies whole inside the file. A demuxer believes the header of half a file; here the
 * header's sizes are held against the file's. Only headers are read: a few bytes per box or cluster.
 */

/** Bytes that the walk wants to see next; the driver answers with them, or with fewer at the end of the file. */
export type ReadRequest = { readonly at: number; readonly length: number };

export type Extents = {
  /** False: a box, segment or cluster reaches beyond the end of the file, or the index is missing. */
  readonly whole: boolean;
  /** What is missing or cut, for our log. */
  readonly fault?: string;
  /** Byte at which what is cut would end. */
  readonly endsAt?: number;
  readonly encrypted: boolean;
  /** Whether packets are stored compressed or without their first bytes (Matroska's content encodings). */
  readonly encoded?: boolean;
  /** Whether the file's own structure does not say where it ends, as a live recording's. */
  readonly endless?: boolean;
};

export type ExtentsWalk = Generator<ReadRequest, Extents, Buffer>;
/** What may be cut without loss of pictures or sound. */
const padding = new Set(['free', 'skip', 'wide', 'udta', 'uuid', 'mfra']);
/** Boxes whose children are walked, with the bytes before their first child. */
const opened: Readonly<Record<string, number>> = { moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 };
/** Sample descriptions of protected tracks (ISO/IEC 23001-7, and the older ones of Apple). */
const protectedEntries = new Set(['encv', 'enca', 'drmi', 'drms']);

type Element = { readonly id: number; readonly body: number; readonly size: number | undefined };

const ids = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  contentEncodings: 0x6d80,
  contentEncoding: 0x6240,
  contentEncryption: 0x5035,
} as const;
const openedIds: ReadonlySet<number> = new Set([
  ids.segment,
  ids.tracks,
  ids.trackEntry,
  ids.contentEncodings,
  ids.contentEncoding,
]);

/** Walks the boxes of an mp4 or mov file (ISO/IEC 14496-12 §4.2), down to the sample descriptions. */
export function* walkMp4(fileBytes: number): ExtentsWalk {
  const seen = new Set<string>();
  const encrypted = (): boolean => [...protectedEntries].some((type) => seen.has(type));
  for (let at = 0; at + 8 <= fileBytes;) {
    const head: Buffer = yield { at, length: 16 };
    const type = head.toString('latin1', 4, 8);
    if (!isName(type)) break;
    const small = head.readUInt32BE(0);
    const wide = small === 1 && head.length === 16;
    const size = wide ? Number(head.readBigUInt64BE(8)) : small === 0 ? fileBytes - at : small;
    if (size < 8) break;
    if (at + size > fileBytes && !padding.has(type))
      return cut(`${type} reaches beyond the end`, encrypted(), at + size);
    seen.add(type);
    const inner = opened[type];
    at += inner === undefined ? size : (wide ? 16 : 8) + inner;
  }
  if (!seen.has('moov')) return cut('no moov', false);
  if (!seen.has('mdat')) return cut('no mdat', encrypted());
  return { whole: true, encrypted: encrypted() };
}

function isName(type: string): boolean {
  return /^[\x20-\x7e\xa9]{4}$/.test(type);
}

function cut(fault: string, encrypted: boolean, endsAt?: number): Extents {
  return {
    whole: false,
    fault,
    encrypted,
    ...(endsAt === undefined ? {} : { endsAt }),
  };
}

/** Walks segment, tracks and clusters of a Matroska or WebM file (RFC 9559). Live recordings of unknown size pass. */
export function* walkMatroska(fileBytes: number): ExtentsWalk {
  const seen = new Set<number>();
  let endless = false;
  for (let at = 0; at < fileBytes;) {
    const element = readElement(yield { at, length: 12 }, at);
    if (!element) break;
    const { id, body, size } = element;
    seen.add(id);
    if (size !== undefined && body + size > fileBytes)
      return cut(`element ${id.toString(16)} reaches beyond the end`, seen.has(ids.contentEncryption), body + size);
    endless ||= size === undefined;
    if (!openedIds.has(id) && size === undefined) break;
    at = openedIds.has(id) ? body : body + (size ?? 0);
  }
  const encrypted = seen.has(ids.contentEncryption);
  if (!seen.has(ids.tracks)) return cut('no tracks', encrypted);
  if (!seen.has(ids.cluster)) return cut('no cluster', encrypted);
  return { whole: true, encrypted, encoded: seen.has(ids.contentEncodings), endless };
}

/** One EBML element header (RFC 8794 §5): id with its marker bits, size undefined where it is unknown. */
function readElement(head: Buffer, at: number): Element | undefined {
  const idLength = Math.clz32((head[0] ?? 0) || 0) - 23;
  const sizeLength = Math.clz32((head[idLength] ?? 0) || 0) - 23;
  if (idLength > 4 || sizeLength > 8 || head.length < idLength + sizeLength) return undefined;
  const id = head.readUIntBE(0, idLength);
  const first = (head[idLength] ?? 0) & (0xff >> sizeLength);
  const rest = [...head.subarray(idLength + 1, idLength + sizeLength)];
  const unknown = first === 0xff >> sizeLength && rest.every((byte) => byte === 0xff);
  const size = unknown ? undefined : rest.reduce((value, byte) => value * 256 + byte, first);
  return { id, body: at + idLength + sizeLength, size };
}
