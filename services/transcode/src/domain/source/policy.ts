/** Which sources we encode, and which failure code each of the others gets (proto/failures.ts). */
import { AppError } from '@vds/shared/errors';
import type { FailureCode } from '@vds/proto/failures';
import type { Extents } from './extents.ts';
import type { SourceFacts, VideoFacts } from './facts.ts';
import type { FrameScan } from './frame-scan.ts';
import type { Sniffed } from './sniff.ts';

export type Limits = {
  readonly maxDurationMs: number;
  readonly minDurationMs: number;
  readonly maxFrameRate: number;
  readonly maxPixels: number;
  readonly maxStreams: number;
};

/** A source that will never do. `reason` is its failure code, `details` may be shown to the partner. */
export const refusal = (code: FailureCode, why: string, details: Readonly<Record<string, string>> = {}): AppError =>
  new AppError('INVALID_ARGUMENT', why, { reason: code, details });

/** VP8 is beyond what the specification asks for: it is what older WebM files hold, and every decoder has it. */
const videoCodecs = new Set(['h264', 'hevc', 'vp9', 'av1', 'vp8']);
const audioCodecs = new Set(
  'aac mp3 mp2 opus vorbis ac3 eac3 flac alac dts truehd mlp amr_nb amr_wb pcm_alaw pcm_mulaw wmav2'.split(' '),
);
const isAudioCodec = (codec: string): boolean => audioCodecs.has(codec) || /^pcm_[suf]\d+/.test(codec);

/**
 * Judges the first bytes.
 * @returns the one demuxer that may open the file
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export const admitContainer = (sniffed: Sniffed): 'mov' | 'matroska' => {
  switch (sniffed.kind) {
    case 'container':
      return sniffed.demuxer;
    case 'empty':
      throw refusal('source_empty', 'the source has no bytes');
    case 'foreign':
      throw refusal('container_unsupported', `the source is ${sniffed.name}`, { container: sniffed.name });
    case 'audio':
      throw refusal('source_no_video', `the source is ${sniffed.name}`, { found: sniffed.name });
    case 'not_video':
      throw refusal('source_not_video', `the source is ${sniffed.name}`, { found: sniffed.name });
  }
};

/** @throws AppError INVALID_ARGUMENT where the container is encrypted or not all there */
export const admitExtents = ({ whole, encrypted, fault }: Extents): void => {
  if (encrypted) throw refusal('source_encrypted', 'the tracks are encrypted');
  if (!whole) throw refusal('source_corrupt', fault ?? 'the container is not whole');
};

const admitPictures = (video: VideoFacts, limits: Limits): void => {
  if (!videoCodecs.has(video.codec))
    throw refusal('codec_unsupported', `video codec ${video.codec}`, { video_codec: video.codec || 'unknown' });
  const pixels = video.width * video.height;
  if (pixels === 0 || video.pixelFormat === '') throw refusal('source_corrupt', 'the pictures have no size or format');
  if (pixels > limits.maxPixels || Math.max(video.width, video.height) > 16_384)
    throw refusal('codec_unsupported', 'the pictures are too large', { resolution: `${video.width}x${video.height}` });
};

/**
 * Judges the probe.
 * @returns the one video stream
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export const admitStreams = (facts: SourceFacts, limits: Limits): VideoFacts => {
  const { video, audio } = facts;
  if (!video) throw refusal('source_no_video', 'there is no video stream but cover art');
  if (facts.streams > limits.maxStreams)
    throw refusal('container_unsupported', 'too many streams', { streams: String(facts.streams) });
  admitPictures(video, limits);
  if (audio && !isAudioCodec(audio.codec))
    throw refusal('codec_unsupported', `audio codec ${audio.codec}`, { audio_codec: audio.codec || 'unknown' });
  const declared = facts.declaredDuration ?? 0;
  if (declared * 1_000 > limits.maxDurationMs) throw tooLong(declared, limits);
  return video;
};

const tooLong = (seconds: number, limits: Limits): AppError =>
  refusal('source_too_long', `${seconds} s`, {
    duration_seconds: String(Math.round(seconds)),
    limit_seconds: String(Math.round(limits.maxDurationMs / 1_000)),
  });

/**
 * Whether the packets go on for as long as the header declares, with slack for edit lists and rounding. Some headers
 * count from the file's first moment, others from zero.
 */
const isWhole = (scan: FrameScan, first: number, declared: number | undefined): boolean => {
  const end = Math.max(scan.end, scan.audio?.end ?? 0);
  const start = Math.min(first, scan.audio?.start ?? first);
  return declared === undefined || Math.max(end, end - start) >= declared * 0.97 - 1;
};

/**
 * Judges the packets.
 * @throws AppError INVALID_ARGUMENT with a failure code
 */
export const admitFrames = (facts: SourceFacts, scan: FrameScan, limits: Limits): void => {
  const [first] = scan.times;
  if (first === undefined) throw refusal('source_corrupt', 'there is no picture');
  if (scan.keys.length === 0) throw refusal('source_corrupt', 'there is no picture to begin decoding at');
  const length = scan.end - first;
  if (!isWhole(scan, first, facts.declaredDuration))
    throw refusal('source_corrupt', `the packets end long before ${facts.declaredDuration} s`);
  // Half a frame at 24 a second is forgiven: a clip of "one second" is often a frame short.
  if (length * 1_000 < limits.minDurationMs - 21)
    throw refusal('source_too_short', `${length} s`, { duration_seconds: length.toFixed(2) });
  if (length * 1_000 > limits.maxDurationMs + 1_000) throw tooLong(length, limits);
  if (scan.times.length / length > limits.maxFrameRate)
    throw refusal('codec_unsupported', 'too many frames a second', {
      frame_rate: String(Math.round(scan.times.length / length)),
    });
};
