/** Where the fragments of an mp4 lie in time: those of appended recordings begin again. */
import type { ReadRequest, Walk } from './walk.ts';

/** Fragments and indices are smaller; what lies behind is not compared. */
const MAX_BYTES = 1024 * 1024;

/** The decode time of each track's latest fragment, in ticks of its clock. */
export type DecodeTimes = Map<number, bigint>;

/** Whether two boxes are equal. */
export function* areEqual(one: ReadRequest, other: ReadRequest): Walk<boolean> {
  if (one.length !== other.length) return false;
  const first: Buffer = yield { at: one.at, length: Math.min(MAX_BYTES, one.length) };
  const second: Buffer = yield { at: other.at, length: Math.min(MAX_BYTES, other.length) };
  return first.equals(second);
}

/**
 * Whether a fragment's decode times are not earlier than those of all fragments before it, by track.
 * @param times those before it; it adds its own
 * @param again whether the file has begun again, as that of a packager may: then they have to be later
 */
export function* goesOn({ at, length }: ReadRequest, times: DecodeTimes, again: boolean): Walk<boolean> {
  const bytes: Buffer = yield { at, length: Math.min(MAX_BYTES, length) };
  const own = childrenOf(bytes.subarray(8), 'traf').flatMap(readDecodeTime);
  const later = own.every(([track, time]) => time >= (times.get(track) ?? -1n) + (again ? 1n : 0n));
  for (const [track, time] of own) times.set(track, time);
  return later;
}

/** Whether each track's part of a fragment tells when it is decoded: else only the fragments before it do. */
export function* tellsTimes({ at, length }: ReadRequest): Walk<boolean> {
  const bytes: Buffer = yield { at, length: Math.min(MAX_BYTES, length) };
  return childrenOf(bytes.subarray(8), 'traf').every((track) => childrenOf(track, 'tfdt').length > 0);
}

/** Track and decode time of a `traf` (ISO/IEC 14496-12 §8.8.12) that has samples. */
function readDecodeTime(fragment: Buffer): [track: number, time: bigint][] {
  const [header] = childrenOf(fragment, 'tfhd');
  const [decodeTime] = childrenOf(fragment, 'tfdt');
  const samples = childrenOf(fragment, 'trun').some((run) => run.length >= 8 && run.readUInt32BE(4) > 0);
  if (!header || !decodeTime || header.length < 8 || !samples) return [];
  const wide = decodeTime[0] === 1;
  if (decodeTime.length < (wide ? 12 : 8)) return [];
  return [[header.readUInt32BE(4), wide ? decodeTime.readBigUInt64BE(4) : BigInt(decodeTime.readUInt32BE(4))]];
}

/** The contents of the children of a type; of those before the first malformed one. */
export function childrenOf(bytes: Buffer, type: string): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(bytes.subarray(at + 8, at + size));
    at += size;
  }
  return found;
}
