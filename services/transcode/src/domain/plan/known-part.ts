/**
 * What can be planned of a source of which only the beginning is there, and whose packets nothing lists but itself:
 * fragmented mp4, Matroska, WebM. Its end is guessed, which is right or costs the pieces that depend on it.
 */
import type { FrameScan } from '../source/frame-scan.ts';
import type { ByteRange } from '../source/source-index.ts';
import { READ_ON } from './piece-bytes.ts';

/** The beginning that a plan was made from. */
export type KnownPart = {
  /** Byte at which it ends, or up to which it was looked at. */
  readonly bytes: number;
  /** Seconds that the video is assumed to last. */
  readonly seconds: number;
};

/**
 * The pictures before the last key picture that enough packets follow: no picture that is shown among them is missing.
 * Undefined where there is none.
 */
export function knownPictures(scan: FrameScan): FrameScan | undefined {
  const { times } = scan;
  const [end] = lastKey(scan) ?? [];
  if (end === undefined || end <= (times[0] ?? end)) return undefined;
  return { ...scan, times: times.filter((time) => time < end), keys: scan.keys.filter((time) => time <= end), end };
}

function lastKey({ stored }: FrameScan): readonly [time: number, number: number] | undefined {
  return [...stored.keys].findLast(([, number]) => number + READ_ON <= stored.at.length);
}

/** The same scan without the packets behind, of which not all pictures are known. */
export function withoutRest(scan: FrameScan): FrameScan {
  const [, count] = lastKey(scan) ?? [0, 0];
  const { at, bytes, times, hashes, keys } = scan.stored;
  const stored = {
    at: at.subarray(0, count),
    bytes: bytes.subarray(0, count),
    times: times.subarray(0, count),
    hashes: hashes.subarray(0, count),
    keys: new Map([...keys].filter(([, number]) => number < count)),
  };
  return { ...scan, stored };
}

/**
 * Seconds that a video is assumed to last: as declared, or, where that is nothing or wrong already, by its bytes.
 * @param declared seconds; 0 where they are not
 * @param known seconds of what is known of it, and the share of the source's bytes that hold them
 */
export function assumedSeconds(declared: number, known: { readonly seconds: number; readonly share: number }): number {
  return declared > known.seconds ? declared : known.seconds / known.share;
}

/**
 * The beginning to look at again, once twice as much of it is there: all looks together read no more than the source,
 * because the last one reads half of it.
 * @param lookedAt bytes of the latest look
 * @param stored rising ranges that do not touch
 */
export function nextPart(lookedAt: number, stored: readonly ByteRange[], sourceBytes: number): ByteRange | undefined {
  const to = Math.min(stored[0]?.to ?? 0, Math.ceil(sourceBytes / 2));
  // Of a complete source the inspection tells more, as soon.
  const isGrowing = stored[0]?.from === 0 && stored[0].to < sourceBytes;
  return isGrowing && to >= 2 * lookedAt ? { from: 0, to } : undefined;
}
