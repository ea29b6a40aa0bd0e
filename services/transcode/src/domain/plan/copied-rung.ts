/**
 * Whether a source already is what the ladder's largest rung would be made into. Then its packets are copied, which
 * saves most of the encoder's time and loses nothing.
 */
import {
  configuredUnits,
  isStandard,
  lengthBytesOf,
  mayBeStandard,
  sequencesOf,
  unitTypes,
} from '../source/avc-sequence.ts';
import type { FrameScan } from '../source/frame-scan.ts';
import type { EncodePlan } from './encode-plan.ts';
import { hasStandardColours } from './filter-graph.ts';
import { TOLERANCE } from './pieces.ts';
import { SEGMENT_SECONDS } from './segment-grid.ts';

type Plan = Pick<EncodePlan, 'probe' | 'rungs' | 'pieces' | 'timeline' | 'shift'>;

/** Main and High: what every player of H.264 plays. */
const profiles = new Set([77, 100]);
/** Seconds between two pictures at which players can start. */
const MAX_GROUP = 2;
/** Seconds of its peak rate that a rung's decoder buffers: `-bufsize` is twice `-maxrate`. */
const BUFFERED = 2;

/** By what is known without looking into the stream: the same picture, and nothing about it to be changed. */
export function looksLikeTop({ probe: { video }, rungs, pieces, timeline }: Plan): boolean {
  const [top] = rungs;
  const same = video.width === top.width && video.height === top.height && video.pixelAspect === 1;
  const untouched = !video.resized && !video.unedited && video.upright.length === 0;
  const progressive = video.fields === undefined && !video.interlaced && !video.wronglyMarked;
  const isAvc = video.codec === 'h264' && video.pixelFormat === 'yuv420p' && video.dolbyVision === undefined;
  // The other rungs are decoded from the same packets: they prove that every picture can be.
  const timed = !timeline.thinned && timeline.first === 0 && timeline.stored === 0 && rungs.length > 1;
  return (
    same &&
    untouched &&
    progressive &&
    isAvc &&
    timed &&
    hasStandardColours(video) &&
    pieces.every(({ repeats }) => repeats.length === 0)
  );
}

/**
 * By all of its packets.
 * @param configuration the stream's `AVCDecoderConfigurationRecord`
 * @returns `declare` where its colours are those of a rendition, but are not declared; undefined if it is not copied
 */
export function mayCopyTop(plan: Plan, scan: FrameScan, configuration: Buffer): EncodePlan['copiesTop'] {
  const isWhole = scan.stored.times.length === scan.times.length && scan.untimed === 0 && !scan.indivisible;
  const isGood =
    isWhole &&
    isPlayable(plan, scan, configuration) &&
    isOnGrid(plan, scan) &&
    isReorderedLittle(plan, scan) &&
    isBelowCap(plan, scan);
  if (!isGood) return undefined;
  return sequencesOf(configuration).every(({ colours }) => isStandard(colours)) ? 'unchanged' : 'declare';
}

/** The profile, level, colours and square pixels that the rung would have, told by headers that never change. */
function isPlayable({ rungs: [top] }: Plan, { keyUnits }: FrameScan, configuration: Buffer): boolean {
  const sequences = sequencesOf(configuration);
  const suits = sequences.every(
    ({ profile, level, framesOnly, colours, square }) =>
      profiles.has(profile) && level <= Number(top.level) * 10 && framesOnly && square && mayBeStandard(colours),
  );
  const headers = [...configuredUnits(configuration)].map(({ type, body }) => ({
    type,
    text: body.toString('latin1'),
  }));
  const inBand = keyUnits?.headers?.split('\n').map((one) => one.slice(1)) ?? [];
  const same = inBand.every((one) => headers.some(({ text }) => text === one));
  const steady = keyUnits?.refresh === true && keyUnits.steady && (same || keyUnits.headers === undefined);
  const complete = headers.some(({ type }) => type === unitTypes.picture);
  return sequences.length > 0 && suits && steady && complete && lengthBytesOf(configuration) === 4;
}

/** Every segment can begin with a key picture where those of the other rungs begin, and groups are short. */
function isOnGrid({ timeline }: Plan, { times, stored }: FrameScan): boolean {
  const keys = [...stored.keys.keys()].map((time) => time - timeline.zero).toSorted((one, other) => one - other);
  const isShort = keys.every((time, index) => time - (keys[index - 1] ?? 0) <= MAX_GROUP + TOLERANCE);
  const known = new Set(stored.keys.keys());
  let cell = -1;
  return (
    isShort &&
    timeline.last - (keys.at(-1) ?? 0) <= MAX_GROUP + TOLERANCE &&
    times.every((time) => {
      const own = Math.floor((time - timeline.zero + TOLERANCE) / SEGMENT_SECONDS);
      const begins = own > cell;
      cell = Math.max(cell, own);
      return !begins || known.has(time);
    })
  );
}

/** The segment writer raises composition offsets by a fixed shift. */
function isReorderedLittle({ shift }: Plan, { times, stored }: FrameScan): boolean {
  return stored.times.every((time, place) => time - (times[place] ?? time) + shift / 90_000 > -1e-6);
}

/** The buffer of a decoder that is fed at the rung's peak rate never runs over (ITU-T H.264 annex C). */
function isBelowCap({ rungs: [top] }: Plan, { times, stored }: FrameScan): boolean {
  let held = 0;
  return stored.bytes.every((bytes, place) => {
    const passed = (times[place] ?? 0) - (times[place - 1] ?? times[place] ?? 0);
    held = Math.max(0, held - passed * top.maxRate) + bytes * 8;
    return held <= BUFFERED * top.maxRate;
  });
}
