/** How long a file that goes on behind what is known of it says that it lasts. */
import { readElement, matroskaIds as ids } from './matroska-extents.ts';
import { readBox } from './mp4-extents.ts';
import { MAX_BYTES, clockOf } from './open-edits.ts';
import type { Demuxer } from './sniff.ts';
import type { Walk } from './walk.ts';

/** Segments are no longer indexed by more: twenty thousand of them. */
const MAX_INDEX = 262_144;
/** In mp4 a length of all ones means unknown (ISO/IEC 14496-12 §8.2.2.3). */
const allOnes = new Set([0xffff_ffffn, 0xffff_ffff_ffff_ffffn]);
const opened = new Set(['moov', 'mvex']);

/**
 * Seconds as the headers before the first fragment or cluster declare them; 0 where they do not.
 * @param to byte at which what is known of the file ends
 */
export function declaredSeconds(demuxer: Demuxer, to: number): Walk<number> {
  return demuxer === 'mov' ? secondsOfMp4(to) : secondsOfMatroska(to);
}

/** The longest of those of the movie, of its fragments, and of the index of its segments (ISO/IEC 14496-12 §8.2.2, §8.8.2, §8.16.3). */
function* secondsOfMp4(to: number): Walk<number> {
  let [timescale, longest] = [1, 0];
  const count = (ticks: bigint, clock: number): void => {
    if (!allOnes.has(ticks)) longest = Math.max(longest, Number(ticks) / Math.max(1, clock));
  };
  for (let at = 0; at + 8 <= to;) {
    const box = readBox(yield { at, length: 16 }, to - at);
    if (!box || box.type === 'moof') break;
    const content = at + box.header;
    const length = Math.min(box.size - box.header, box.type === 'sidx' ? MAX_INDEX : MAX_BYTES);
    if (box.type === 'mvhd') {
      const clock = clockOf(yield { at: content, length: MAX_BYTES });
      if (clock) ({ timescale } = clock);
      if (clock) count(clock.duration, timescale);
    } else if (box.type === 'mehd') count(readTicks(yield { at: content, length }), timescale);
    else if (box.type === 'sidx') {
      const index: Buffer = yield { at: content, length };
      if (index.length >= 32) count(...segmentsOf(index));
    }
    at = opened.has(box.type) ? content : at + box.size;
  }
  return longest;
}

function readTicks(header: Buffer): bigint {
  if (header[0] === 1 && header.length >= 12) return header.readBigUInt64BE(4);
  return header.length >= 8 ? BigInt(header.readUInt32BE(4)) : 0n;
}

/** What the segments of an index last together, and the clock of that. */
function segmentsOf(index: Buffer): [ticks: bigint, timescale: number] {
  let ticks = 0n;
  for (let at = index[0] === 1 ? 32 : 24; at + 12 <= index.length; at += 12)
    ticks += BigInt(index.readUInt32BE(at + 4));
  return [ticks, index.readUInt32BE(8)];
}

/** Duration and timestamp scale of the segment (RFC 9559 §5.1.2). */
function* secondsOfMatroska(to: number): Walk<number> {
  let [scale, duration] = [1_000_000, 0];
  for (let at = 0; at < to;) {
    const element = readElement(yield { at, length: 12 }, at);
    if (!element || element.id === ids.cluster) break;
    const { id, body, size } = element;
    if (id === ids.timestampScale || id === ids.duration) {
      const value: Buffer = yield { at: body, length: Math.min(size ?? 0, 8) };
      if (id === ids.duration) duration = readFloat(value);
      else if (value.length > 0 && value.length <= 6) scale = value.readUIntBE(0, value.length);
    }
    if (id === ids.segment || id === ids.info) at = body;
    else if (size === undefined) break;
    else at = body + size;
  }
  const seconds = (duration * scale) / 1e9;
  return seconds > 0 && Number.isFinite(seconds) ? seconds : 0;
}

function readFloat(value: Buffer): number {
  if (value.length === 4) return value.readFloatBE();
  return value.length === 8 ? value.readDoubleBE() : 0;
}
