/**
 * Edits of an mp4 file that show the media from a time on but whose length is written as zero. Players show the rest of
 * the media, as ISO/IEC 14496-12 §8.6.6 has it for fragmented files; the demuxer would show nothing.
 */
import type { Patch } from './holes.ts';
import { leaveBoxes, type Walk } from './walk.ts';

type Box = { readonly type: string; readonly at: number; readonly content: number; readonly end: number };

type Clock = { readonly timescale: number; readonly duration: bigint };

const containers = new Set(['moov', 'trak', 'edts', 'mdia']);
/** The longest part of a box that is read: the header of a movie or of a track's media, of version 1. */
export const MAX_BYTES = 36;

/** The lengths to write into the edits of no length: that of the media. Only headers are read. */
export function* closeEdits(fileBytes: number): Walk<Patch[]> {
  const patches: Patch[] = [];
  let movie: Clock | undefined;
  let edit: { readonly at: number; readonly wide: boolean } | undefined;
  const ends: number[] = [];
  let at = 0;
  while (at + 8 <= fileBytes) {
    const box = boxAt(yield { at, length: 16 }, at, fileBytes);
    if (!box) break;
    if (box.type === 'mvex') return [];
    const { type, content, end } = box;
    if (type === 'trak') edit = undefined;
    if (type === 'mvhd' || type === 'mdhd') {
      const clock = clockOf(yield { at: content, length: MAX_BYTES });
      if (type === 'mvhd') movie = clock;
      else if (movie && clock && edit) {
        patches.push({ at: edit.at, bytes: lengthOf(clock, movie.timescale, edit.wide) });
        edit = undefined;
      }
    }
    if (type === 'elst') edit = openEdit(yield { at: content, length: MAX_BYTES }, content);
    if (containers.has(type)) ends.unshift(end);
    at = leaveBoxes(containers.has(type) ? content : end, ends);
  }
  return patches;
}

function boxAt(head: Buffer, at: number, fileBytes: number): Box | undefined {
  if (head.length < 8) return undefined;
  const small = head.readUInt32BE(0);
  const wide = small === 1 && head.length === 16;
  const size = wide ? Number(head.readBigUInt64BE(8)) : small === 0 ? fileBytes - at : small;
  if (size < 8) return undefined;
  return { type: head.toString('latin1', 4, 8), at, content: at + (wide ? 16 : 8), end: at + size };
}

/** Timescale and duration of a header of version 0 or 1. */
export function clockOf(header: Buffer): Clock | undefined {
  if (header.length < MAX_BYTES) return undefined;
  if (header[0] === 1) return { timescale: header.readUInt32BE(20), duration: header.readBigUInt64BE(24) };
  return { timescale: header.readUInt32BE(12), duration: BigInt(header.readUInt32BE(16)) };
}

/** The only edit of a list, where it shows media and has no length. */
function openEdit(list: Buffer, content: number) {
  const wide = list[0] === 1;
  if (list.length < (wide ? 24 : 16) || list.readUInt32BE(4) !== 1) return undefined;
  const length = wide ? list.readBigUInt64BE(8) : BigInt(list.readUInt32BE(8));
  const from = wide ? list.readBigInt64BE(16) : BigInt(list.readInt32BE(12));
  return length === 0n && from >= 0n ? { at: content + 8, wide } : undefined;
}

/** Rounded up; an edit may reach beyond the end of the media. */
function lengthOf({ timescale, duration }: Clock, movieTimescale: number, wide: boolean): Buffer {
  const clock = BigInt(Math.max(1, timescale));
  const ticks = (duration * BigInt(movieTimescale) + clock - 1n) / clock;
  const bytes = Buffer.alloc(wide ? 8 : 4);
  if (wide) bytes.writeBigUInt64BE(ticks);
  else bytes.writeUInt32BE(Number(ticks < 0xffff_fffen ? ticks : 0xffff_fffen));
  return bytes;
}
