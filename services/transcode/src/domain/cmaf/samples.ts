/** The samples of a track fragment (ISO/IEC 14496-12 §8.8): their properties and bytes. */
import { AppError } from '@vds/chassis/errors';
import { childBoxes, requireBox, type Box } from './boxes.ts';

/** One coded picture or audio frame; times in ticks of the track's timescale. */
export type Sample = {
  readonly pts: number;
  readonly duration: number;
  /** Whether decoding can start here. */
  readonly key: boolean;
  readonly data: Uint8Array;
};

type Defaults = { readonly duration: number; readonly size: number; readonly flags: number };

const NON_SYNC = 0x10000;

/**
 * The samples of one `moof` and the `mdat` after it, in decode order.
 * @param bytes both boxes; data offsets count from the first byte (default-base-is-moof)
 */
export function readSamples(bytes: Buffer): Sample[] {
  const moof = requireBox(bytes, 'moof');
  const traf = requireBox(bytes, 'traf', moof.body, moof.end);
  const defaults = readDefaults(bytes, requireBox(bytes, 'tfhd', traf.body, traf.end));
  let dts = readBaseTime(bytes, requireBox(bytes, 'tfdt', traf.body, traf.end));
  const samples: Sample[] = [];
  for (const box of childBoxes(bytes, traf.body, traf.end).filter(({ type }) => type === 'trun')) {
    const run = readRun(bytes, box, defaults, dts, moof.start);
    samples.push(...run.samples);
    dts = run.end;
  }
  return samples;
}

function readDefaults(bytes: Buffer, box: Box): Defaults {
  const flags = flagsOf(bytes, box);
  let at = box.body + 8 + (flags & 0x01 ? 8 : 0) + (flags & 0x02 ? 4 : 0);
  const next = (bit: number): number => {
    if (!(flags & bit)) return 0;
    at += 4;
    return field(bytes, at - 4);
  };
  return { duration: next(0x08), size: next(0x10), flags: next(0x20) };
}

function flagsOf(bytes: Buffer, box: Box): number {
  return field(bytes, box.body) & 0xffffff;
}

function field(bytes: Buffer, at: number): number {
  return bytes.readUInt32BE(at);
}

/** Signed, though unsigned in the standard: ffmpeg writes an encoder's run-up as times below zero. */
function readBaseTime(bytes: Buffer, box: Box): number {
  return bytes[box.body] === 1 ? Number(bytes.readBigInt64BE(box.body + 4)) : field(bytes, box.body + 4);
}

/** @returns its samples, and the decode time at which it ends */
function readRun(bytes: Buffer, box: Box, defaults: Defaults, start: number, dataBase: number) {
  const flags = flagsOf(bytes, box);
  const signed = bytes[box.body] !== 0;
  const count = field(bytes, box.body + 4);
  let at = box.body + 8;
  const next = (bit: number, fallback: number): number => {
    if (!(flags & bit)) return fallback;
    at += 4;
    return field(bytes, at - 4);
  };
  let offset = dataBase + next(0x01, 0);
  const firstFlags = next(0x04, defaults.flags);
  let dts = start;
  const samples: Sample[] = [];
  for (let index = 0; index < count; index++) {
    const duration = next(0x100, defaults.duration);
    const size = next(0x200, defaults.size);
    const sampleFlags = next(0x400, index === 0 ? firstFlags : defaults.flags);
    const shift = next(0x800, 0);
    if (offset + size > bytes.length) throw new AppError('INTERNAL', 'a sample reaches beyond its fragment');
    const data = bytes.subarray(offset, offset + size);
    samples.push({ pts: dts + (signed ? shift | 0 : shift), duration, key: (sampleFlags & NON_SYNC) === 0, data });
    dts += duration;
    offset += size;
  }
  return { samples, end: dts };
}
