/**
 * Whether a container's structure lies completely inside the file. A demuxer trusts the header of a truncated file;
 * here the header's sizes are compared with the file's. Only headers are read: a few bytes per box or cluster.
 */

/** Bytes that the walk needs next; the driver supplies them, or fewer at the end of the file. */
export type ReadRequest = { readonly at: number; readonly length: number };

/** A box, segment or cluster reaches beyond the end of the file, garbage lies between them, or the index is missing. */
type Fault = {
  /** What is missing or cut, for our log. */
  readonly fault: string;
  /** Byte at which the truncated element would end, or at which the structure breaks off. */
  readonly endsAt?: number;
  readonly damagedAt?: number;
};

export type Extents = Partial<Fault> & {
  /** False where there is a fault. */
  readonly whole: boolean;
  readonly encrypted: boolean;
  /** Whether packets are stored compressed or without their first bytes (Matroska's content encodings). */
  readonly encoded?: boolean;
  /** Whether the file's structure does not declare its end, as in a live recording. */
  readonly endless?: boolean;
};

export type ExtentsWalk = Generator<ReadRequest, Extents, Buffer>;
type FaultWalk = Generator<ReadRequest, Fault | undefined, Buffer>;

/** What may be truncated without loss of pictures or sound. */
const padding = new Set(['free', 'skip', 'wide', 'udta', 'uuid', 'mfra']);
/** Boxes whose children are walked, with the bytes before their first child. */
const opened: Readonly<Record<string, number>> = { moov: 0, trak: 0, mdia: 0, minf: 0, stbl: 0, stsd: 8 };
/** Sample descriptions of protected tracks (ISO/IEC 23001-7, and Apple's older ones). */
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
  void: 0xec,
  crc32: 0xbf,
} as const;
const openedIds: ReadonlySet<number> = new Set([
  ids.segment,
  ids.cluster,
  ids.tracks,
  ids.trackEntry,
  ids.contentEncodings,
  ids.contentEncoding,
]);

/** Time, position, size before, silent tracks, blocks of all kinds (RFC 9559 §5.1.3). */
const inCluster: ReadonlySet<number> = new Set([0xe7, 0xa7, 0xab, 0x5854, 0xa3, 0xa0, 0xaf, ids.void, ids.crc32]);
/**
 * Elements that end a cluster of unknown size: seek head, information, cues, attachments, chapters, tags and the like.
 */
const inSegment: ReadonlySet<number> = new Set([
  ...[0x114d9b74, 0x1549a966, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367],
  ...[ids.tracks, ids.cluster, ids.segment],
]);
/** More boxes or elements than many hours of video have. */
const mostSteps = 20_000_000;

/** Walks the boxes of an mp4 or mov file (ISO/IEC 14496-12 §4.2), down to the sample descriptions. */
export function* walkMp4(fileBytes: number): ExtentsWalk {
  const seen = new Set<string>();
  const fault = yield* walkBoxes(fileBytes, seen);
  return { whole: !fault, ...fault, encrypted: [...protectedEntries].some((type) => seen.has(type)) };
}

function* walkBoxes(fileBytes: number, seen: Set<string>): FaultWalk {
  let at = 0;
  /** Ends of the open boxes, the innermost first. */
  const ends: number[] = [];
  for (let steps = 0; at + 8 <= fileBytes; steps++) {
    if (steps > mostSteps) return damaged(at);
    while (at >= (ends[0] ?? Infinity)) ends.shift();
    // QuickTime ends a list of boxes with four zero bytes, as no box is that small.
    if ((ends[0] ?? Infinity) - at < 8) {
      at = ends.shift() ?? at;
      continue;
    }
    const box = readBox(yield { at, length: 16 }, fileBytes - at);
    if (!box) break;
    const { type, header, size } = box;
    if (at + size > fileBytes && !padding.has(type))
      return { fault: `${type} reaches beyond the end`, endsAt: at + size };
    seen.add(type);
    const inner = opened[type];
    if (inner !== undefined) ends.unshift(at + size);
    at += inner === undefined ? size : header + inner;
  }
  if (!seen.has('moov')) return { fault: 'no moov' };
  if (!seen.has('mdat')) return { fault: 'no mdat' };
  // What follows garbage in a fragmented file is lost, unless it is only padding.
  if (seen.has('moof') && at + 8 <= fileBytes) {
    const tail: Buffer = yield { at: fileBytes - 8, length: 8 };
    if (tail.some((byte) => byte !== 0)) return damaged(at);
  }
  return undefined;
}

/** The header of a box; undefined for garbage. */
function readBox(head: Buffer, left: number): { type: string; header: number; size: number } | undefined {
  const type = head.toString('latin1', 4, 8);
  if (!isName(type)) return undefined;
  const small = head.readUInt32BE(0);
  const wide = small === 1 && head.length === 16;
  const size = wide ? Number(head.readBigUInt64BE(8)) : small === 0 ? left : small;
  return size < 8 ? undefined : { type, header: wide ? 16 : 8, size };
}

function isName(type: string): boolean {
  return /^[\x20-\x7e\xa9]{4}$/.test(type);
}

type Place = {
  /** Where the segment and the open cluster end: infinity where their size is unknown. */
  segmentEnd: number;
  clusterEnd: number;
  /** Whether a size is unknown, as in live recordings. */
  endless: boolean;
};

/**
 * Walks segment, tracks, clusters and their blocks in a Matroska or WebM file (RFC 9559): a demuxer that meets garbage
 * silently skips to the next cluster. Live recordings of unknown size are accepted, even truncated ones.
 */
export function* walkMatroska(fileBytes: number): ExtentsWalk {
  const seen = new Set<number>();
  const place: Place = { segmentEnd: 0, clusterEnd: 0, endless: false };
  const fault = yield* walkElements(fileBytes, seen, place);
  const encrypted = seen.has(ids.contentEncryption);
  return { whole: !fault, ...fault, encrypted, encoded: seen.has(ids.contentEncodings), endless: place.endless };
}

function* walkElements(fileBytes: number, seen: Set<number>, place: Place): FaultWalk {
  for (let at = 0, steps = 0; at < fileBytes; steps++) {
    if (steps > mostSteps) return damaged(at);
    const element = readElement(yield { at, length: 12 }, at);
    const open = at < place.clusterEnd || (at < place.segmentEnd && place.segmentEnd < Number.POSITIVE_INFINITY);
    if (!element) {
      // The last header of a live recording may be cut off itself.
      if (open && fileBytes - at > 12) return damaged(at);
      break;
    }
    const { id, body, size } = element;
    seen.add(id);
    place.endless ||= size === undefined;
    if (at < place.clusterEnd && !inCluster.has(id)) {
      if (place.clusterEnd < Number.POSITIVE_INFINITY || !inSegment.has(id)) return damaged(at);
      place.clusterEnd = 0;
    }
    const end = size === undefined ? Number.POSITIVE_INFINITY : body + size;
    if (size !== undefined && end > fileBytes) {
      if (at < place.clusterEnd && place.clusterEnd === Number.POSITIVE_INFINITY) break;
      return { fault: `element ${id.toString(16)} reaches beyond the end`, endsAt: end };
    }
    if (at < place.clusterEnd && end > place.clusterEnd) return damaged(at);
    if (id === ids.segment) place.segmentEnd = end;
    if (id === ids.cluster) place.clusterEnd = end;
    if (!openedIds.has(id) && size === undefined) break;
    at = openedIds.has(id) ? body : end;
  }
  if (!seen.has(ids.tracks)) return { fault: 'no tracks' };
  if (!seen.has(ids.cluster)) return { fault: 'no cluster' };
  return undefined;
}

function damaged(at: number): Fault {
  return { fault: `no element where one must be, at byte ${at}`, damagedAt: at };
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
