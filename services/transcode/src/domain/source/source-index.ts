/**
 * What a reader of a part of a source needs besides the part and the first packets: headers and index. Files without
 * either can only be read as a whole.
 */
import { tellsTimes } from './fragment-times.ts';
import { matroskaIds, readElement } from './matroska-extents.ts';
import { readBox } from './mp4-extents.ts';
import type { Demuxer } from './sniff.ts';
import type { Walk } from './walk.ts';

/** Bytes `from <= b < to` of the source. */
export type ByteRange = { readonly from: number; readonly to: number };

export type SourceIndex = {
  /** Rising, without overlaps. */
  readonly headers: readonly ByteRange[];
  /**
   * Bytes at which fragments or clusters begin, rising: a file of some of them is complete once the others are padding.
   * Undefined where tables list the packets, and any may be read.
   */
  readonly entries?: readonly number[];
};

/** Longer indexes are those of many hours. */
const MAX_HEAD_BYTES = 16 * 1024 * 1024;
/** Of a box or element at the top that holds media: no header is longer. */
const HEADER_BYTES = 16;
/** At the top of an mp4 file that is not fragmented. */
const MAX_BOXES = 1_000;
const media = new Set(['mdat', 'free', 'skip', 'wide']);

/** @param fileBytes of a file whose extents are admitted */
export function readIndex(demuxer: Demuxer, fileBytes: number): Walk<SourceIndex | undefined> {
  return demuxer === 'mov' ? indexOfMp4(fileBytes) : indexOfMatroska(fileBytes);
}

/** The headers of all boxes at the top, and all but the media (ISO/IEC 14496-12 §4.2); of fragments, where each begins. */
function* indexOfMp4(fileBytes: number): Walk<SourceIndex | undefined> {
  const headers: ByteRange[] = [];
  const entries: number[] = [];
  let [isIndexed, isFragmented] = [false, false];
  for (let at = 0; at + 8 <= fileBytes;) {
    const box = readBox(yield { at, length: HEADER_BYTES }, fileBytes - at);
    if (!box || at + box.size > fileBytes) return undefined;
    const { type, size } = box;
    isIndexed ||= type === 'moov';
    isFragmented ||= type === 'moof';
    // A fragment is placed by its own times, and the packets that the index itself lists come before all.
    if (type === 'moof' && !(isIndexed && (yield* tellsTimes({ at, length: size })))) return undefined;
    if (type === 'moof' || (type === 'mdat' && isIndexed && entries.length === 0)) entries.push(at);
    if (!isFragmented)
      headers.push({ from: at, to: media.has(type) ? Math.min(at + HEADER_BYTES, fileBytes) : at + size });
    if (headers.length > MAX_BOXES) return undefined;
    at += size;
  }
  return isFragmented ? untilFirst(entries) : { headers };
}

/** The clusters, where tracks precede them; those of unknown size, too, whose blocks are passed one by one (RFC 9559). */
function* indexOfMatroska(fileBytes: number): Walk<SourceIndex | undefined> {
  const entries: number[] = [];
  let isDescribed = false;
  for (let at = 0; at < fileBytes;) {
    const element = readElement(yield { at, length: 12 }, at);
    if (!element) return undefined;
    const { id, body, size } = element;
    isDescribed ||= id === matroskaIds.tracks;
    if (id === matroskaIds.cluster && !isDescribed) return undefined;
    if (id === matroskaIds.cluster) entries.push(at);
    const isOpened = id === matroskaIds.segment || (id === matroskaIds.cluster && size === undefined);
    if (!isOpened && (size === undefined || body + size > fileBytes)) return undefined;
    at = isOpened ? body : body + (size ?? 0);
  }
  return isDescribed && entries.length > 0 ? untilFirst(entries) : undefined;
}

function untilFirst(entries: readonly number[]): SourceIndex {
  return { headers: [{ from: 0, to: entries[0] ?? 0 }], entries };
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
