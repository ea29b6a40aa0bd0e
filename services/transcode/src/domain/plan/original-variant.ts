/**
 * Whether players get the partner's own pictures beside the ladder: HEVC and AV1 carry what the ladder's H.264 cannot, more
 * than 1080 lines and high dynamic range. Their packets are copied, which costs no encoder; who cannot play them has the
 * ladder.
 */
import type { LadderOriginal } from '@vds/proto/documents/ladder';
import type { FrameScan } from '../source/frame-scan.ts';
import type { ProbedVideo } from '../source/probe.ts';
import type { Timeline } from '../source/timeline.ts';
import { SEGMENT_SECONDS } from './segment-grid.ts';

export type OriginalVariant = {
  readonly range: LadderOriginal['range'];
  /** Whether each group of pictures can be decoded by itself. */
  readonly independent: boolean;
  /** Ticks that every composition offset is raised by. */
  readonly shift: number;
};

/** Pixel formats of players' decoders: Main and Main 10 of HEVC, Main of AV1. */
const formats = new Set(['yuv420p', 'yuvj420p', 'yuv420p10le']);
/** Transfer functions (ITU-T H.273) and what HLS calls them; any other is a usual one. */
const ranges: Readonly<Record<string, LadderOriginal['range']>> = { smpte2084: 'PQ', 'arib-std-b67': 'HLG' };
/** By what Dolby Vision calls compatible. */
const bases: Readonly<Record<number, LadderOriginal['range']>> = { 1: 'PQ', 4: 'HLG' };
/** Seconds between two pictures at which players can start, at most: the longest segment is that much longer. */
const MAX_GROUP = SEGMENT_SECONDS / 2 + 0.05;
/** Bits a second that players on good connections can load: twice what Apple suggests for 2160p at 60 a second. */
const MAX_RATE = 60_000_000;
/** A second's, of every video rendition. */
const TICKS = 90_000;
/** Seconds over which it is measured. */
const RATE_SPAN = 2;

/** @returns undefined where players get the ladder alone */
export function originalOf(
  { video }: Pick<ProbedVideo, 'video'>,
  scan: FrameScan,
  timeline: Timeline,
): OriginalVariant | undefined {
  const suits = (video.codec === 'hevc' || video.codec === 'av1') && formats.has(video.pixelFormat);
  const isUpright = video.upright.length === 0 && video.pixelAspect === 1;
  const untouched = !video.resized && !video.unedited && !video.closedCaptions && hasUsualBase(video);
  const isProgressive = video.fields === undefined && !video.interlaced && !video.wronglyMarked;
  const { times, stored } = scan;
  const isWhole = stored.times.length === times.length && scan.untimed === 0 && !scan.indivisible && scan.leadIn <= 1;
  const isTimed = !timeline.thinned && timeline.first === 0 && timeline.stored === 0;
  if (!suits || !isUpright || !untouched || !isProgressive || !isWhole || !isTimed) return undefined;
  if (!hasShortGroups(scan, timeline) || !isBelowCap(scan)) return undefined;
  const late = stored.times.reduce((most, time, place) => Math.max(most, (times[place] ?? time) - time), 0);
  const independent = video.codec === 'av1' || scan.keyUnits?.refresh === true;
  return { range: ranges[video.transfer] ?? 'SDR', independent, shift: late > 0 ? Math.ceil(late * TICKS) + 2 : 0 };
}

/** Dolby Vision whose base layer is HDR10 or HLG, as its transfer function says: players without it show that. */
function hasUsualBase({ codec, transfer, dolbyVision }: ProbedVideo['video']): boolean {
  if (!dolbyVision) return true;
  const { profile, compatibility } = dolbyVision;
  return codec === 'hevc' && profile === 8 && bases[compatibility] === ranges[transfer] && transfer in ranges;
}

function hasShortGroups({ stored }: FrameScan, { zero, last }: Timeline): boolean {
  const keys = [...stored.keys.keys()].map((time) => time - zero).toSorted((one, other) => one - other);
  return [...keys.slice(1), last].every((time, index) => time - (keys[index] ?? 0) <= MAX_GROUP);
}

function isBelowCap({ times, stored }: FrameScan): boolean {
  let [begin, bits] = [0, 0];
  return stored.bytes.every((bytes, place) => {
    bits += bytes * 8;
    for (; (times[place] ?? 0) - (times[begin] ?? 0) >= RATE_SPAN; begin += 1) bits -= (stored.bytes[begin] ?? 0) * 8;
    return bits <= MAX_RATE * RATE_SPAN;
  });
}
