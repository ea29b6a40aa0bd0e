/**
 * Writes CMAF segments (ISO/IEC 23000-19 §7.3): `styp`, then one `moof` + `mdat` for every closed group of pictures.
 */
import { makeBox, makeFullBox, words } from './boxes.ts';
import type { Sample } from './samples.ts';
import type { SampleGroup } from './segmenter.ts';

export type Segment = {
  readonly bytes: Buffer;
  /** Ticks. */
  readonly start: number;
  readonly duration: number;
  readonly fragments: number;
  /** Presentation times in ticks, rising. */
  readonly times: readonly number[];
  /** The first picture of each fragment; none of sound. */
  readonly keys: readonly KeyPicture[];
};

/** A picture that is decoded by itself: from its fragment's header to its own end. */
export type KeyPicture = {
  /** Bytes, from the segment's beginning. */
  readonly offset: number;
  readonly length: number;
  /** Ticks from the segment's start. */
  readonly at: number;
};

const NON_SYNC_FLAGS = 0x01010000;
const SYNC_FLAGS = 0x02000000;
/** Size and type. */
const BOX_HEADER = 8;

type Timed = { readonly sample: Sample; readonly dts: number; readonly duration: number };

const styp = makeBox('styp', Buffer.from('msdh\0\0\0\0msdhmsixcmfs', 'latin1'));

/**
 * @param sequence number of the segment's first fragment; further ones count on from it
 * @param shift ticks added to every composition offset; the init segment's edit list subtracts them again
 */
export function writeSegment(group: SampleGroup, sequence: number, shift: number): Segment {
  const timed = time(group);
  const everyKey = group.samples.every(({ key }) => key);
  const parts: Uint8Array[] = [styp];
  const keys: KeyPicture[] = [];
  let offset = styp.length;
  const chunks = intoChunks(timed, everyKey);
  chunks.forEach((chunk, index) => {
    const moof = makeMoof(chunk, sequence + index, shift, everyKey);
    const mdat = makeBox('mdat', ...chunk.map(({ sample }) => sample.data));
    const first = chunk[0]?.sample;
    if (first && !everyKey) {
      const length = moof.length + BOX_HEADER + first.data.length;
      keys.push({ offset, length, at: first.pts - group.start });
    }
    parts.push(moof, mdat);
    offset += moof.length + mdat.length;
  });
  return {
    bytes: Buffer.concat(parts),
    start: group.start,
    duration: group.end - group.start,
    fragments: chunks.length,
    times: timed.map(({ dts }) => dts),
    keys,
  };
}

/**
 * Assigns new decode times: the n-th sample in decode order is due when the n-th in presentation order is shown. They
 * rise through every piece, begin exactly at the segment's start and do not depend on neighbouring pieces.
 */
function time({ samples, end }: SampleGroup): Timed[] {
  const order = samples.map(({ pts }) => pts).sort((a, b) => a - b);
  return samples.map((sample, index) => {
    const dts = order[index] ?? end;
    return { sample, dts, duration: (order[index + 1] ?? end) - dts };
  });
}

function intoChunks(timed: readonly Timed[], everySampleIsKey: boolean): Timed[][] {
  const chunks: Timed[][] = [];
  for (const item of timed) {
    const open = chunks.at(-1);
    if (open && (everySampleIsKey || !item.sample.key)) open.push(item);
    else chunks.push([item]);
  }
  return chunks;
}

function makeMoof(chunk: readonly Timed[], sequence: number, shift: number, everyKey: boolean): Buffer {
  const first = chunk[0];
  const durations = new Set(chunk.map(({ duration }) => duration));
  const uniform = durations.size === 1;
  const shifts = chunk.map(({ sample, dts }) => sample.pts - dts + shift);
  const shifted = shifts.some((value) => value !== 0);
  const runFlags = 0x201 | (everyKey ? 0 : 0x04) | (uniform ? 0 : 0x100) | (shifted ? 0x800 : 0);
  const run = (dataOffset: number): Buffer => {
    const rows = chunk.map(({ sample, duration }, index) =>
      words(...(uniform ? [] : [duration]), sample.data.length, ...(shifted ? [shifts[index] ?? 0] : [])),
    );
    const head = words(chunk.length, dataOffset, ...(everyKey ? [] : [SYNC_FLAGS]));
    return makeFullBox('trun', 1, runFlags, head, ...rows);
  };
  const build = (dataOffset: number): Buffer => {
    const baseTime = Buffer.alloc(8);
    baseTime.writeBigUInt64BE(BigInt(first?.dts ?? 0));
    const defaults = words(1, uniform ? (first?.duration ?? 0) : 0, everyKey ? SYNC_FLAGS : NON_SYNC_FLAGS);
    const header = makeFullBox('tfhd', 0, 0x020028, defaults);
    const traf = makeBox('traf', header, makeFullBox('tfdt', 1, 0, baseTime), run(dataOffset));
    return makeBox('moof', makeFullBox('mfhd', 0, 0, words(sequence)), traf);
  };
  return build(build(0).length + 8);
}
