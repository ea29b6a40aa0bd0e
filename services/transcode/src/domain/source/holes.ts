/**
 * A file of which some fragments or clusters were not read becomes one that is complete without them: a box or element
 * that every demuxer skips lies over each hole. Absolute places in the file stay right.
 */
import { readElement, matroskaIds as ids } from './matroska-extents.ts';
import { readBox } from './mp4-extents.ts';
import type { Demuxer } from './sniff.ts';
import type { ByteRange } from './source-index.ts';
import type { Walk } from './walk.ts';

/** Bytes to write at a position of the file. */
export type Patch = { readonly at: number; readonly bytes: Buffer };

/** An element, or the header of one whose children follow; `to` is where the next one begins. */
type Step = { readonly kind: 'fragment' | 'cluster' | 'index' | 'other'; readonly to: number };

const WIDE = 2 ** 32;

/**
 * The padding for what was not read. A fragment or cluster of which a part was read is padded, too, and so is an index of
 * fragments or clusters, which may lead into a hole. Where packets are listed by tables, nothing is padded.
 * @param ranges what was read, rising, without overlaps
 */
export function* padHoles(demuxer: Demuxer, ranges: readonly ByteRange[], fileBytes: number): Walk<Patch[]> {
  const holes = holesBetween(ranges, fileBytes);
  const padded: Patch[] = [];
  const indexes: Patch[] = [];
  let entry: number | undefined;
  let last: Step['kind'] = 'other';
  for (let at = 0; at < fileBytes && (holes.length > 0 || entry === undefined);) {
    const [hole = { from: fileBytes, to: fileBytes }] = holes;
    const step = at < hole.from ? readStep(demuxer, yield { at, length: 16 }, at, fileBytes) : undefined;
    if (at < hole.from && !step) break;
    if (step?.kind === 'fragment' || step?.kind === 'cluster') entry = at;
    if (step && step.to <= hole.from) {
      if (step.kind === 'index') indexes.push(padding(demuxer, { from: at, to: step.to }));
      [at, last] = [step.to, step.kind];
      continue;
    }
    // The media of a fragment follow it.
    const from = step || last === 'fragment' ? entry : at;
    if (from === undefined) return [];
    padded.push(padding(demuxer, { from, to: hole.to }));
    [at, last] = [hole.to, 'other'];
    holes.shift();
  }
  return entry === undefined || padded.length === 0 ? [] : [...padded, ...indexes];
}

function holesBetween(ranges: readonly ByteRange[], fileBytes: number): ByteRange[] {
  const begins = [0, ...ranges.map(({ to }) => to)];
  const ends = [...ranges.map(({ from }) => from), fileBytes];
  return begins.flatMap((from, place) => (from < (ends[place] ?? 0) ? [{ from, to: ends[place] ?? 0 }] : []));
}

function readStep(demuxer: Demuxer, head: Buffer, at: number, fileBytes: number): Step | undefined {
  return demuxer === 'mov' ? readBoxStep(head, at, fileBytes) : readElementStep(head, at);
}

function readBoxStep(head: Buffer, at: number, fileBytes: number): Step | undefined {
  const box = readBox(head, fileBytes - at);
  if (!box) return undefined;
  const kind = box.type === 'moof' ? 'fragment' : box.type === 'sidx' ? 'index' : 'other';
  return { kind, to: at + box.size };
}

function readElementStep(head: Buffer, at: number): Step | undefined {
  const element = readElement(head.subarray(0, 12), at);
  if (!element) return undefined;
  const { id, body, size } = element;
  const kind = id === ids.cluster ? 'cluster' : id === ids.cues ? 'index' : 'other';
  // Of a cluster of unknown size, and of the segment, the children follow.
  return { kind, to: id === ids.segment || size === undefined ? body : body + size };
}

/** A `free` box (ISO/IEC 14496-12 §8.1.2) or a Void element (RFC 8794 §11.3.2): its header. */
function padding(demuxer: Demuxer, { from, to }: ByteRange): Patch {
  return { at: from, bytes: demuxer === 'mov' ? freeBox(to - from) : voidElement(to - from) };
}

function freeBox(length: number): Buffer {
  const header = Buffer.alloc(length < WIDE ? 8 : 16);
  header.writeUInt32BE(length < WIDE ? length : 1);
  header.write('free', 4, 'latin1');
  if (length >= WIDE) header.writeBigUInt64BE(BigInt(length), 8);
  return header;
}

function voidElement(length: number): Buffer {
  if (length < 0x7f) return Buffer.from([ids.void, 0x80 | (length - 2)]);
  const header = Buffer.alloc(9);
  header.writeBigUInt64BE((1n << 56n) | BigInt(length - 9), 1);
  header[0] = ids.void;
  return header;
}
