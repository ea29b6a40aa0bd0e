/** What works but is not recommended in a source; the partner gets these with the video. */
import type { ProbedVideo, VideoStream } from './probe.ts';
import type { Timeline } from './timeline.ts';

export type Warning = { readonly code: string; readonly message: string };

/** The file itself. */
export type SourceFile = {
  readonly bytes: number;
  /** Whether bytes follow that are no part of the video. */
  readonly trailing: boolean;
};

const hours4 = 4 * 3_600;
const gigabytes5 = 5 * 1_000_000_000;

type Rule = readonly [
  code: string,
  applies: (source: ProbedVideo & SourceFile & { timeline: Timeline }) => boolean,
  message: string,
];

const rules: readonly Rule[] = [
  [
    'duration_not_recommended',
    ({ timeline }) => timeline.videoEnd > hours4,
    'The video is longer than the 4 hours that we recommend; processing takes longer.',
  ],
  [
    'size_not_recommended',
    ({ bytes }) => bytes > gigabytes5,
    'The file is larger than the 5 GB that we recommend; processing takes longer.',
  ],
  [
    'codec_not_recommended',
    ({ video }) => video.codec === 'vp8',
    'The video codec is older than those that we recommend: H.264, H.265, VP9 or AV1.',
  ],
  [
    'variable_frame_rate',
    ({ timeline }) => timeline.variable,
    'The frame rate varies; playback keeps it, but a constant frame rate streams more smoothly.',
  ],
  [
    'frame_rate_reduced',
    ({ timeline }) => timeline.thinned,
    'The video has more than 60 frames a second; we deliver 60.',
  ],
  [
    'resolution_reduced',
    ({ video }) => Math.min(video.width, video.height) > 1_080,
    'The video is larger than 1080p; we deliver 1080p.',
  ],
  ['high_dynamic_range', ({ video }) => isHdr(video), 'The video is HDR; we deliver it in SDR colours.'],
  [
    'closed_captions_removed',
    ({ video }) => video.closedCaptions,
    'The pictures carry closed captions (CEA-608 or CEA-708), which we do not deliver; ours are made from the speech.',
  ],
  [
    'interlaced',
    ({ video }) => video.interlaced,
    'The video is interlaced, or parts of it are; we deliver it deinterlaced.',
  ],
  [
    'non_square_pixels',
    ({ video }) => Math.abs(video.pixelAspect - 1) > 0.01,
    'The pixels are not square; we deliver the shape that players show.',
  ],
  [
    'odd_dimensions',
    ({ video }) => video.width % 2 === 1 || video.height % 2 === 1,
    'Width or height is an odd number; we deliver the nearest even size below.',
  ],
  [
    'resolution_varies',
    ({ video }) => video.resized,
    'The size of the pictures changes; we deliver the largest one that lasts, with every shape fitted inside.',
  ],
  ['rotated', ({ video }) => video.upright.length > 0, 'The video is stored rotated; we deliver it upright.'],
  ['no_audio', ({ audio }) => !audio, 'The video has no sound.'],
  [
    'several_audio_tracks',
    ({ audioStreams }) => audioStreams > 1,
    'The file has several audio tracks; we deliver the default one, or the first that can be played.',
  ],
  [
    'track_passed_over',
    ({ passedOver }) => passedOver,
    'The codec of the default video or audio track is not supported; we deliver another track of the file. Check that it is the right one.',
  ],
  [
    'trailing_bytes',
    ({ trailing }) => trailing,
    'Bytes that are no part of the video follow it in the file; we ignore them. Check that the upload stored the file alone.',
  ],
];

/** Transfer functions of HDR10 and HLG (ITU-T H.273). */
export function isHdr({ transfer }: VideoStream): boolean {
  return transfer === 'smpte2084' || transfer === 'arib-std-b67';
}

export function warningsOf(probe: ProbedVideo, timeline: Timeline, file: SourceFile): Warning[] {
  const source = { ...probe, ...file, timeline };
  return rules.filter(([, applies]) => applies(source)).map(([code, , message]) => ({ code, message }));
}
