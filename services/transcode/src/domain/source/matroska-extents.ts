/** Whether all elements of a Matroska or WebM file lie in it (RFC 9559). */
import { another, damaged, extentsOf, MAX_STEPS, type EndWalk, type ExtentsWalk, type Fault } from './extents.ts';
import { isInHole, occursBehind } from './walk.ts';

type Element = { readonly id: number; readonly body: number; readonly size: number | undefined };

/** RFC 9559 §5.1. */
export const matroskaIds = {
  header: 0x1a45dfa3,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  contentEncodings: 0x6d80,
  contentEncoding: 0x6240,
  contentEncryption: 0x5035,
  cues: 0x1c53bb6b,
  void: 0xec,
  crc32: 0xbf,
} as const;
const ids = matroskaIds;
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
  const end = yield* walkElements(fileBytes, seen, place);
  const encrypted = seen.has(ids.contentEncryption);
  return { ...extentsOf(end), encrypted, encoded: seen.has(ids.contentEncodings), endless: place.endless };
}

function* walkElements(fileBytes: number, seen: Set<number>, place: Place): EndWalk {
  for (let at = 0, steps = 0; at < fileBytes; steps++) {
    if (steps > MAX_STEPS) return damaged(at);
    const element = readElement(yield { at, length: 12 }, at);
    if (seen.has(ids.segment) && isBetween(at, place)) {
      if (element?.id === ids.header || element?.id === ids.segment) return another(at);
      if (!element || !belongs(element, at, place, fileBytes)) return yield* endOfSegment(at, place, fileBytes, seen);
    }
    const open = at < place.clusterEnd || at < place.segmentEnd;
    if (!element && open) return damaged(at);
    if (!element) break;
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
  return missingElement(seen);
}

function missingElement(seen: ReadonlySet<number>): Fault | undefined {
  if (!seen.has(ids.tracks)) return { fault: 'no tracks' };
  return seen.has(ids.cluster) ? undefined : { fault: 'no cluster' };
}

/** Whether no element of known size is open: the file may end here. */
function isBetween(at: number, { segmentEnd, clusterEnd }: Place): boolean {
  return [segmentEnd, clusterEnd].every((end) => at >= end || end === Number.POSITIVE_INFINITY);
}

/** Whether an element belongs where the file might have ended as well. */
function belongs({ id, body, size }: Element, at: number, place: Place, fileBytes: number): boolean {
  if (inSegment.has(id) || id === ids.void || id === ids.crc32) return true;
  if (at < place.clusterEnd) return inCluster.has(id);
  return at < place.segmentEnd && size !== undefined && body + size <= fileBytes;
}

/** Where the elements end before the file does; what follows garbage before further clusters is lost. */
function* endOfSegment(at: number, { endless }: Place, fileBytes: number, seen: ReadonlySet<number>): EndWalk {
  const missing = missingElement(seen);
  // The last header of a live recording may be cut off itself.
  if (missing || fileBytes - at <= 12) return missing;
  if (endless && (yield* isInHole(at))) return damaged(at);
  const cluster = (found: Buffer): boolean => {
    const element = readElement(found.subarray(0, 12), 0);
    return element !== undefined && inCluster.has(found[element.body] ?? 0);
  };
  return (yield* occursBehind(at, fileBytes, Buffer.from('1f43b675', 'hex'), cluster)) ? damaged(at) : 'trailing';
}

/** One EBML element header (RFC 8794 §5): id with its marker bits, size undefined if it is unknown. */
export function readElement(head: Buffer, at: number): Element | undefined {
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
