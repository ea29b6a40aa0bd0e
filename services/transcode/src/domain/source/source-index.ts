/**
 * What a reader of a part of a source needs besides the part and the first packets: headers and index. Files without a
 * usable index can only be read as a whole.
 */
import { readBox } from './mp4-extents.ts';
import { readElement } from './matroska-extents.ts';
import type { Demuxer } from './sniff.ts';
import type { Walk } from './walk.ts';

/** Bytes `from <= b < to` of the source. */
export type ByteRange = { readonly from: number; readonly to: number };

export type SourceIndex = {
  /** Rising, without overlaps. */
  readonly headers: readonly ByteRange[];
  /** Bytes at which the demuxer may begin after a seek, rising; undefined where that is any packet. */
  readonly entries?: readonly number[];
};

/** Longer indexes are those of many hours. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024;
/** Of a box or element at the top that holds media: no header is longer. */
const HEADER_BYTES = 16;
const MAX_CUES = 32 * 1024 * 1024;
/** At the top of an mp4 file; more are fragments, or made to be many. */
const MAX_BOXES = 1_000;
const media = new Set(['mdat', 'free', 'skip', 'wide']);
const ids = { segment: 0x18538067, cluster: 0x1f43b675, cues: 0x1c53bb6b } as const;
/** RFC 9559 §5.1.5: a cue point, its track positions, and where the cluster lies. */
const cueIds = { point: 0xbb, positions: 0xb7, cluster: 0xf1 } as const;

/** @param fileBytes of a file whose extents are admitted */
export function readIndex(demuxer: Demuxer, fileBytes: number): Walk<SourceIndex | undefined> {
  return demuxer === 'mov' ? indexOfMp4(fileBytes) : indexOfMatroska(fileBytes);
}

/** The headers of all boxes at the top, and all but the media of a file that is not fragmented (ISO/IEC 14496-12 §4.2). */
function* indexOfMp4(fileBytes: number): Walk<SourceIndex | undefined> {
  const headers: ByteRange[] = [];
  for (let at = 0; at + 8 <= fileBytes;) {
    const box = readBox(yield { at, length: HEADER_BYTES }, fileBytes - at);
    if (!box || box.type === 'moof' || at + box.size > fileBytes || headers.length === MAX_BOXES) return undefined;
    headers.push({ from: at, to: media.has(box.type) ? Math.min(at + HEADER_BYTES, fileBytes) : at + box.size });
    at += box.size;
  }
  return { headers };
}

/** All elements of the segment but its clusters, where cues say where these lie. */
function* indexOfMatroska(fileBytes: number): Walk<SourceIndex | undefined> {
  const headers: ByteRange[] = [];
  let body = 0;
  let entries: number[] | undefined;
  for (let at = 0; at < fileBytes;) {
    const element = readElement(yield { at, length: 12 }, at);
    if (element?.size === undefined) return undefined;
    if (element.id === ids.segment) body = element.body;
    const isOpened = element.id === ids.segment;
    const to = isOpened ? element.body : element.body + element.size;
    if (to > fileBytes) return undefined;
    if (element.id === ids.cues) {
      if (element.size > MAX_CUES) return undefined;
      entries = clustersOf(yield { at: element.body, length: element.size }).map((place) => body + place);
    }
    if (element.id !== ids.cluster) headers.push({ from: at, to });
    at = to;
  }
  return entries && entries.length > 0
    ? { headers, entries: entries.toSorted((one, other) => one - other) }
    : undefined;
}

/** The clusters that cues name, relative to the segment's content. */
function clustersOf(cues: Buffer): number[] {
  return childrenOf(cues, cueIds.point)
    .flatMap((point) => childrenOf(point, cueIds.positions))
    .flatMap((positions) => childrenOf(positions, cueIds.cluster))
    .filter(({ length }) => length > 0 && length <= 6)
    .map((value) => value.readUIntBE(0, value.length));
}

function childrenOf(content: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < content.length;) {
    const element = readElement(content.subarray(at, at + 12), at);
    if (element?.size === undefined) break;
    const end = element.body + element.size;
    if (element.id === wanted) found.push(content.subarray(element.body, end));
    at = end;
  }
  return found;
}

/** The same bytes in rising ranges that do not touch. */
export function joinRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const joined: ByteRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last && range.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else joined.push(range);
  }
  return joined;
}

/** Whether one of the ranges has all bytes of another. */
export function holds(ranges: readonly ByteRange[], { from, to }: ByteRange): boolean {
  return ranges.some((range) => range.from <= from && to <= range.to);
}

/**
 * Byte ranges to inspect before a fetch ends: the beginning, where most indexes are, then beginning and end.
 * @param stored rising ranges that do not touch
 */
export function headsOf(stored: readonly ByteRange[], bytes: number): ByteRange[][] {
  const [first, last] = [stored[0], stored.at(-1)];
  if (first?.from !== 0) return [];
  const head = { from: 0, to: Math.min(first.to, MAX_HEAD_BYTES) };
  if (last?.to !== bytes || head.to === bytes) return [[head]];
  return [[head], joinRanges([head, { from: Math.max(last.from, bytes - MAX_HEAD_BYTES), to: bytes }])];
}

export function sizeOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0);
}
