/**
 * How the sound of a long video is encoded in chunks whose frames are those of the sound encoded whole: each is decoded,
 * limited and encoded from some seconds before it on, and keeps its own frames alone.
 */
import type { FrameScan } from '../source/frame-scan.ts';
import type { AudioStream } from '../source/probe.ts';
import { sizeOf, type SourceIndex } from '../source/source-index.ts';
import type { StoredPackets } from '../source/stored-packets.ts';
import type { Timeline } from '../source/timeline.ts';
import { endBehind, isReadInParts, rangesOf, type PieceBytes } from './piece-bytes.ts';
import { lowerBound, MAX_RUN_UP, nominalCuts } from './pieces.ts';
import { AUDIO_FRAME, AUDIO_SAMPLE_RATE, decodedRate, LOOKAHEAD } from './sound-rate.ts';

export type SoundChunk = {
  readonly index: number;
  /** Samples of the rendition: `from <= n < until`; whole frames, but for the end of the last chunk. */
  readonly from: number;
  readonly until: number;
  /** Undefined where its worker reads the whole source. */
  readonly part?: SoundPart;
};

/** What a chunk is made of. */
export type SoundPart = {
  /** Sample of the rendition from which on it is encoded. */
  readonly start: number;
  /** Seconds on the source's clock: of the key picture at which reading begins, undefined at the beginning of the file. */
  readonly seek: number | undefined;
  /** Seconds of the video between which it is decoded. */
  readonly decodeFrom: number;
  readonly decodeTo: number;
  /** Of its packets, numbered behind those of the video. */
  readonly bytes: PieceBytes;
  /** Seconds of sound that decoding should deliver. */
  readonly length: number;
};

/**
 * Frames that are encoded before a chunk: the limiter has forgotten what was before after two seconds, the encoder after
 * four, except for the thresholds of its last short blocks, which it remembers until the next ones.
 */
const RUN_UP = 480 * AUDIO_FRAME;
/** Samples at which encoding may begin: frames of the encoder, and whole samples at every usual rate of sources. */
const GRID = 15 * AUDIO_FRAME;
/** Seconds that are decoded before and behind what is encoded. */
const [BEFORE, BEHIND] = [0.2, 0.5];
/** Seconds by which a seek may miss, and packets lie out of order. */
const SLACK = 1;

/** Samples in which the next chunk must have a packet. */
const PROBED = 60 * AUDIO_SAMPLE_RATE;

type Source = {
  readonly scan: FrameScan;
  readonly timeline: Timeline;
  readonly audio: AudioStream;
  readonly index: SourceIndex;
  readonly fileBytes: number;
};

/** All of the sound, by one worker. */
export function wholeSound({ end }: Timeline): SoundChunk[] {
  return [{ index: 0, from: 0, until: Math.ceil(end * AUDIO_SAMPLE_RATE) }];
}

/**
 * Cuts the sound where pieces are cut; leaves it whole where the places of its samples depend on all packets before
 * them: clocks too coarse for samples, small gaps that add up, rates without a common grid.
 * @param pieceSeconds usual distance of the cuts
 */
export function planSound(source: Source, pieceSeconds: number): SoundChunk[] {
  const { scan, timeline, audio, index, fileBytes } = source;
  const whole = wholeSound(timeline);
  const { sound } = scan;
  // Where a demuxer begins elsewhere than at the seek, it begins by the pictures.
  if (!sound?.steady || !isExact(audio) || index.entries) return whole;
  const chunks: (SoundChunk & { readonly part: SoundPart })[] = [];
  let from = 0;
  for (const nominal of [...nominalCuts(timeline.end, pieceSeconds), Infinity]) {
    const isLast = nominal === Infinity;
    // A shorter one would cost more by its run-up than by itself.
    if (!isLast && chunks.length > 0 && nominal - Math.floor(from / AUDIO_SAMPLE_RATE) < pieceSeconds / 2) continue;
    const until = isLast
      ? (whole[0]?.until ?? 0)
      : Math.ceil((nominal * AUDIO_SAMPLE_RATE) / AUDIO_FRAME) * AUDIO_FRAME;
    const next = isLast ? undefined : partOf(source, sound.packets, until, until + PROBED);
    // Where the next one could not begin, this one goes on.
    if (!isLast && !next) continue;
    const part = partOf(source, sound.packets, from, isLast ? Infinity : until);
    if (!part) return whole;
    chunks.push({ index: chunks.length, from, until, part });
    from = until;
  }
  const read = chunks.reduce((sum, { part }) => sum + sizeOf(rangesOf(part.bytes, index.headers)), 0);
  return isReadInParts(read, chunks.length, fileBytes) ? chunks : whole;
}

/** Whether packets tell the places of their samples, also after a change of the rate. */
function isExact(audio: AudioStream): boolean {
  const { tick, sampleRate } = audio;
  const ticks = 1 / (tick * sampleRate);
  const step = (GRID * decodedRate(audio)) / AUDIO_SAMPLE_RATE;
  const kept = decodedRate(audio) === sampleRate || AUDIO_SAMPLE_RATE % sampleRate === 0;
  return ticks >= 1 && isNear(ticks) && isNear(step) && kept;
}

function isNear(value: number): boolean {
  return Math.abs(value - Math.round(value)) < 1e-6;
}

function partOf(
  { scan, timeline: { zero }, fileBytes, index }: Source,
  { at, bytes, times }: StoredPackets,
  from: number,
  until: number,
): SoundPart | undefined {
  const start = Math.max(0, Math.floor((from - RUN_UP) / GRID) * GRID);
  const decodeFrom = start === 0 ? 0 : start / AUDIO_SAMPLE_RATE - BEFORE;
  const decodeTo = (until + LOOKAHEAD) / AUDIO_SAMPLE_RATE + BEHIND;
  const seek = seekTo(scan, zero + decodeFrom);
  const begin = seek ?? scan.times[0] ?? 0;
  if (zero + decodeFrom - begin > MAX_RUN_UP) return undefined;
  const numberAt = (seconds: number): number => lowerBound(times, zero + seconds);
  const first = start === 0 ? 0 : numberAt(decodeFrom - BEFORE);
  const end = numberAt(decodeTo - BEHIND / 2);
  // A chunk without a packet has nothing to begin with.
  if (end <= numberAt(from / AUDIO_SAMPLE_RATE)) return undefined;
  const low = seek === undefined ? 0 : lowerBound(times, seek - SLACK);
  let [lowest, highest] = [Infinity, 0];
  for (let number = low; number < Math.max(end, numberAt(decodeTo + SLACK)); number++) {
    const place = at[number] ?? NaN;
    if (Number.isNaN(place)) return undefined;
    lowest = Math.min(lowest, place);
    highest = Math.max(highest, place + (bytes[number] ?? 0));
  }
  const before = scan.stored.at.length;
  const range = { from: lowest, to: endBehind(highest, index, fileBytes) };
  return {
    start,
    seek,
    decodeFrom,
    decodeTo: Math.min(decodeTo, (scan.audio?.end ?? 0) - zero + SLACK),
    bytes: { range, from: before + low, first: before + first, end: before + end },
    length: ((end - first) * scan.soundLength) / times.length,
  };
}

/** The last key picture from which on everything can be read; seeking to the first picture does not work. */
function seekTo({ keys, times }: FrameScan, seconds: number): number | undefined {
  const key = keys[lowerBound(keys, seconds) - 1];
  return key !== undefined && key > (times[0] ?? 0) ? key : undefined;
}
