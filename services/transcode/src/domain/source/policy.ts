/** Which sources are accepted, and the failure codes of all others (proto/failures.ts). */
import { AppError } from '@vds/chassis/errors';
import type { FailureCode } from '@vds/proto/failures';
import { incompatibleProfile } from './dolby-vision.ts';
import type { Extents } from './extents.ts';
import type { FrameScan } from './frame-scan.ts';
import type { ProbedVideo, ProbeResult, VideoStream } from './probe.ts';
import type { Demuxer, Sniffed } from './sniff.ts';
import { isAudioCodec, isVideoCodec } from './tracks.ts';

export type Limits = {
  readonly maxDurationMs: number;
  readonly minDurationMs: number;
  readonly maxFrameRate: number;
  readonly maxPixels: number;
  readonly maxStreams: number;
  /** Thousands of millions of pixels that are decoded or encoded in all. */
  readonly maxWork: number;
};

/** `maxPixels` is 8K, of a picture; `minDurationMs` of all pictures; `maxStreams` tracks. */
export const fixedLimits = { minDurationMs: 100, maxFrameRate: 240, maxPixels: 8_192 * 4_320, maxStreams: 64 };

const MAX_SIDE = 16_384;
/** Of all tracks: six hours of every one that is usual, and ten times as many. */
const MAX_PACKETS = 20_000_000;
/** No two clocks run equally fast: a phone's 240 pictures a second are 240.1 by another one. */
const CLOCK_TOLERANCE = 1.01;

type Track = {
  readonly stream: string;
  readonly declared: number | undefined;
  readonly start: number;
  readonly end: number;
};

/**
 * Checks the first bytes.
 * @returns the one demuxer that may open the file
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export function admitContainer(sniffed: Sniffed): Demuxer {
  switch (sniffed.kind) {
    case 'container':
      return sniffed.demuxer;
    case 'empty':
      throw rejection('source_empty', 'the source has no bytes');
    case 'foreign':
      throw rejection('container_unsupported', `the source is ${sniffed.name}`, { container: sniffed.name });
    case 'audio':
      throw rejection('source_no_video', `the source is ${sniffed.name}`, { found: sniffed.name });
    case 'not_video':
      throw rejection('source_not_video', `the source is ${sniffed.name}`, { found: sniffed.name });
  }
}

/** The error for a source that is rejected. `reason` is its failure code; `details` may be shown to the partner. */
export function rejection(code: FailureCode, why: string, details: Readonly<Record<string, string>> = {}): AppError {
  return new AppError('INVALID_ARGUMENT', why, { reason: code, details });
}

/** The error for pictures that are missing from `at` on, in seconds. */
export function missingFrames(why: string, at: number, expected: number | string, found: number): AppError {
  const details = {
    stream: 'video',
    at_seconds: seconds(at),
    expected_frames: `${expected}`,
    found_frames: `${found}`,
  };
  return rejection('source_corrupt', why, details);
}

function seconds(value: number): string {
  return value.toFixed(2);
}

/** The error for pictures or sound that end before the expected second. */
function endsEarly(stream: string, found: number, expected: number): AppError {
  const end = seconds(found);
  const details = { stream, at_seconds: end, expected_seconds: seconds(expected), found_seconds: end };
  return rejection('source_corrupt', `${stream} ends at ${found} of ${expected} s`, details);
}

/** The error for sound that can be decoded only in part. */
export function missingSound(found: number, expected: number): AppError {
  const details = { stream: 'audio', expected_seconds: seconds(expected), found_seconds: seconds(found) };
  return rejection('source_corrupt', `${found} of ${expected} s of sound could be decoded`, details);
}

/** Awaits a tool that reads the source; if it ends with an error, the source is at fault. */
export async function orCorrupt<T>(run: Promise<T>, stream: string, found = 'cannot be read'): Promise<T> {
  try {
    return await run;
  } catch (error) {
    if (error instanceof AppError && error.reason === 'tool_failed')
      throw rejection('source_corrupt', `${stream} ${found}: ${error.message}`, { stream, found });
    throw error;
  }
}

/** @throws AppError INVALID_ARGUMENT if the container is encrypted or incomplete, or holds several recordings */
export function admitExtents(extents: Extents, fileBytes: number): void {
  const { whole, encrypted, fault, endsAt, damagedAt, appended } = extents;
  if (appended) throw rejection('source_concatenated', fault ?? 'appended', { at_bytes: String(damagedAt) });
  if (encrypted) throw rejection('source_encrypted', 'the tracks are encrypted');
  if (whole) return;
  throw rejection('source_corrupt', fault ?? 'the container is not whole', {
    stream: 'container',
    ...(endsAt === undefined ? {} : { expected_bytes: String(endsAt) }),
    ...(damagedAt === undefined ? {} : { at_bytes: String(damagedAt) }),
    found_bytes: String(fileBytes),
  });
}

/**
 * Checks the result of the probe.
 * @returns the one video stream
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export function admitStreams(probe: ProbeResult, limits: Limits): VideoStream {
  const { video, audio } = probe;
  if (!video) throw rejection('source_no_video', 'there is no video stream but cover art');
  if (probe.streams > limits.maxStreams)
    throw tooComplex('too many streams', { tracks: String(probe.streams), limit_tracks: String(limits.maxStreams) });
  admitPictures(video, limits);
  if (audio && !isAudioCodec(audio.codec))
    throw rejection('codec_unsupported', `audio codec ${audio.codec}`, { audio_codec: audio.codec || 'unknown' });
  return video;
}

function tooComplex(why: string, details: Readonly<Record<string, string>>): AppError {
  return rejection('source_too_complex', why, details);
}

function admitPictures(video: VideoStream, limits: Limits): void {
  admitDolbyVision(video);
  if (!isVideoCodec(video.codec))
    throw rejection('codec_unsupported', `video codec ${video.codec}`, { video_codec: video.codec || 'unknown' });
  const pixels = video.width * video.height;
  if (pixels === 0 || video.pixelFormat === '')
    throw rejection('source_corrupt', 'the pictures have no size or format', {
      stream: 'video',
      found: 'no picture size',
    });
  const resolution = `${video.width}x${video.height}`;
  if (pixels > limits.maxPixels)
    throw tooComplex('the pictures are too large', {
      resolution,
      pixels: String(pixels),
      limit_pixels: String(limits.maxPixels),
    });
  if (Math.max(video.width, video.height) > MAX_SIDE)
    throw tooComplex('a side of the pictures is too long', { resolution, limit_side: String(MAX_SIDE) });
}

/** @throws AppError INVALID_ARGUMENT if only a Dolby Vision player shows the right colours */
export function admitDolbyVision(video: VideoStream): void {
  const profile = incompatibleProfile(video);
  if (profile !== undefined)
    throw rejection('dolby_vision_unsupported', `the base layer of Dolby Vision ${profile} is not compatible`, {
      dolby_vision_profile: profile,
    });
}

/**
 * Checks the packets.
 * @param endless whether the container's structure does not declare where the file ends
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export function admitFrames(probe: ProbedVideo, scan: FrameScan, limits: Limits, endless = false): void {
  const [first] = scan.times;
  const noPicture = { stream: 'video', expected_frames: 'at least 1', found_frames: '0' };
  if (first === undefined) throw rejection('source_corrupt', 'there is no picture', noPicture);
  if (scan.keys.length === 0)
    throw rejection('source_corrupt', 'there is no picture to begin decoding at', {
      stream: 'video',
      found: 'no key picture',
    });
  admitLength(scan, first, limits);
  admitEnd(probe, scan, first, endless);
  const rate = scan.times.length / (scan.end - first);
  if (rate > limits.maxFrameRate * CLOCK_TOLERANCE)
    throw tooComplex('too many frames a second', {
      frame_rate: String(Math.round(rate * 10) / 10),
      limit_frame_rate: String(limits.maxFrameRate),
    });
}

/** @throws AppError INVALID_ARGUMENT if size, frame rate and duration, each of them acceptable, multiply to too much */
export function admitWork(pixels: number, { maxWork }: Limits): void {
  const work = Math.ceil(pixels / 1e9);
  if (work > maxWork)
    throw tooComplex('the pictures are too many for their size', {
      gigapixels: String(work),
      limit_gigapixels: String(maxWork),
    });
}

/**
 * Follows the packets while they are listed: a few bytes of index can declare a thousand million of them, or a thousand
 * million times the same bytes.
 * @param encoded whether packets are larger than in the file, because their tracks are compressed
 * @returns takes the size of each packet, and whether it is one of the chosen video's
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export function admitPackets(
  limits: Limits,
  fileBytes: number,
  encoded = false,
): (bytes: number, isPicture: boolean) => void {
  const maxPictures = (limits.maxDurationMs / 1_000) * limits.maxFrameRate * CLOCK_TOLERANCE;
  // An edit list may show a part several times. What was compressed twice has become hardly smaller.
  const maxBytes = (encoded ? 20 : 4) * fileBytes + 1_000_000;
  let [pictures, packets, total] = [0, 0, 0];
  return (bytes, isPicture) => {
    packets++;
    pictures += isPicture ? 1 : 0;
    total += bytes > 0 ? bytes : 0;
    if (total > maxBytes)
      throw rejection('source_corrupt', 'the packets are larger than the file', {
        stream: 'container',
        expected_bytes: String(total),
        found_bytes: String(fileBytes),
      });
    if (pictures > maxPictures || packets > MAX_PACKETS)
      throw tooComplex('too many packets', { limit: pictures > maxPictures ? 'pictures' : 'packets' });
  };
}

/** @throws AppError INVALID_ARGUMENT if the times begin again */
export function admitOrder({ restart }: FrameScan): void {
  if (!restart) return;
  const { at, after } = restart;
  throw rejection('source_concatenated', `the pictures go back from ${after} to ${at} s`, {
    at_seconds: seconds(after),
    found_seconds: seconds(at),
  });
}

function admitLength(scan: FrameScan, first: number, limits: Limits): void {
  const pictures = scan.end - first;
  // A clip of "one second" is often slightly shorter.
  if (pictures * 1_000 < limits.minDurationMs * 0.98)
    throw rejection('source_too_short', `${pictures} s`, {
      duration_seconds: seconds(pictures),
      minimum_seconds: String(limits.minDurationMs / 1_000),
    });
  const longest = Math.max(scan.end, scan.audio?.end ?? 0) - first;
  if (longest * 1_000 > limits.maxDurationMs + 1_000)
    throw rejection('source_too_long', `${longest} s`, {
      duration_seconds: String(Math.round(longest)),
      limit_seconds: String(Math.round(limits.maxDurationMs / 1_000)),
    });
}

/** @throws AppError INVALID_ARGUMENT if the pictures or the sound end before their declared end */
function admitEnd(probe: ProbedVideo, scan: FrameScan, first: number, endless: boolean): void {
  for (const { stream, declared, start, end } of declaredTracks(probe, scan, first, endless))
    // Some headers count from the file's start, others from zero.
    if (declared !== undefined && Math.max(end, end - start) < declared * 0.99 - 0.25)
      throw endsEarly(stream, end, declared);
}

/**
 * The declared durations that show whether the file is complete: in mp4 each track's own, as others may last longer; in
 * Matroska that of the longest track, unless the sizes of the elements have already shown that nothing is missing.
 */
function declaredTracks(probe: ProbedVideo, scan: FrameScan, first: number, endless: boolean): Track[] {
  const { audio, lastEnd, end } = scan;
  if (probe.demuxer === 'matroska') {
    const start = Math.min(first, audio?.start ?? first);
    return endless ? [{ stream: 'container', declared: probe.declaredDuration, start, end: lastEnd }] : [];
  }
  const sound = audio && { stream: 'audio', declared: probe.audio?.declaredDuration, ...audio };
  return [{ stream: 'video', declared: probe.video.declaredDuration, start: first, end }, ...(sound ? [sound] : [])];
}
