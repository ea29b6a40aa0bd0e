/**
 * The table of sources that the service must accept: every legal pair of container and codec, and every kind of
 * picture.
 */

export type Container = 'mp4' | 'mov' | 'mkv' | 'webm';
export type VideoCodec = 'h264' | 'hevc' | 'vp9' | 'av1';
export type AudioCodec = 'aac' | 'opus' | 'vorbis' | 'flac' | 'ac3' | 'mp3' | 'pcm';

export type Sample = {
  readonly name: string;
  readonly container: Container;
  readonly codec: VideoCodec;
  /** null: the file has no audio track. */
  readonly audio: AudioCodec | null;
  /** Size of the upright picture in square pixels, as a viewer sees it. */
  readonly width: number;
  readonly height: number;
  /** Frames a second; for variable rate the highest. */
  readonly fps: number;
  /** Exact frames of the whole file. */
  readonly frames: number;
  readonly seconds: number;
  /** Degrees clockwise by which a player rotates the stored picture (display matrix). */
  readonly rotation?: 90 | 180 | 270;
  readonly shape?:
    | 'vfr'
    | 'anamorphic'
    | 'interlaced'
    | 'hdr10'
    | 'open-gop'
    | '444'
    | '29.97'
    | 'surround'
    | 'late-start';
};

const SECONDS = 2;

type Row = Pick<Sample, 'container' | 'codec' | 'audio' | 'width' | 'height' | 'fps'> & Partial<Sample>;

/** One sample for every legal pair; between them all sizes, rates and audio codecs. (QuickTime has no VP9 and no AV1; WebM has nothing else.) */
export const pairs: readonly Sample[] = [
  sample(row('mp4', 'h264', 1920, 1080, 30, 'aac')),
  sample(row('mp4', 'hevc', 1280, 720, 24, 'aac')),
  sample(row('mp4', 'vp9', 854, 480, 25, 'opus')),
  sample(row('mp4', 'av1', 640, 360, 30, null)),
  sample(row('mov', 'h264', 1280, 720, 60, 'pcm')),
  sample(row('mov', 'hevc', 854, 480, 50, 'aac')),
  sample(row('mkv', 'h264', 426, 240, 25, 'mp3')),
  sample(row('mkv', 'hevc', 640, 360, 30, 'ac3')),
  sample(row('mkv', 'vp9', 960, 540, 30, 'opus')),
  sample(row('mkv', 'av1', 854, 480, 24, 'flac')),
  sample(row('webm', 'vp9', 640, 360, 25, 'vorbis')),
  sample(row('webm', 'av1', 426, 240, 60, 'opus')),
];

/** Special pictures: rotated, odd-sized, upright, variable rate, anamorphic, interlaced, HDR; and special audio. */
export const shapes: readonly Sample[] = [
  sample({ ...row('mp4', 'h264', 360, 640, 30, 'aac'), rotation: 90 }),
  sample({ ...row('mov', 'h264', 640, 360, 25, 'aac'), rotation: 180 }),
  sample({ ...row('mp4', 'hevc', 360, 640, 24, null), rotation: 270 }),
  sample(row('webm', 'vp9', 321, 241, 30, 'opus')),
  sample({ ...row('mp4', 'h264', 321, 241, 25, 'aac'), shape: '444' }),
  sample(row('mp4', 'h264', 720, 1280, 30, 'aac')),
  sample({ ...row('mp4', 'h264', 640, 360, 30, 'aac'), shape: 'vfr', seconds: 4, frames: 74 }),
  sample({ ...row('mkv', 'vp9', 640, 360, 30, 'opus'), shape: 'vfr', seconds: 4, frames: 74 }),
  sample({ ...row('mp4', 'h264', 1024, 576, 25, 'aac'), shape: 'anamorphic' }),
  sample({ ...row('mov', 'h264', 720, 576, 25, 'pcm'), shape: 'interlaced' }),
  sample({ ...row('mp4', 'hevc', 1280, 720, 24, 'aac'), shape: 'hdr10' }),
  sample({ ...row('mkv', 'hevc', 640, 360, 30, 'aac'), shape: 'open-gop', seconds: 4 }),
  sample({ ...row('mp4', 'h264', 640, 360, 30, 'aac'), shape: '29.97' }),
  sample({ ...row('mkv', 'h264', 640, 360, 25, 'ac3'), shape: 'surround' }),
  sample({ ...row('mp4', 'h264', 640, 360, 25, 'aac'), shape: 'late-start' }),
];

function row(
  container: Container,
  codec: VideoCodec,
  width: number,
  height: number,
  fps: number,
  audio: AudioCodec | null,
): Row {
  return {
    container,
    codec,
    width,
    height,
    fps,
    audio,
  };
}

function sample(row: Row): Sample {
  const { container, codec, audio, width, height, fps, rotation, shape } = row;
  const seconds = row.seconds ?? SECONDS;
  const tail = [rotation === undefined ? null : `rotated-${rotation}`, shape ?? null, audio ?? 'silent'];
  const name = [container, codec, `${width}x${height}`, `${fps}fps`, ...tail.filter((part) => part !== null)].join('-');
  return { frames: seconds * fps, ...row, seconds, name };
}
