/** What works but is not recommended in a source: when each code of proto/warnings.ts applies. */
import type { WarningCode } from '@vds/proto/warnings';
import { USUAL_LARGEST } from '../plan/ladder.ts';
import type { ProbedVideo, VideoStream } from './probe.ts';
import type { Timeline } from './timeline.ts';

/** The file itself. */
export type SourceFile = {
  readonly bytes: number;
  /** Whether bytes follow that are not part of the video. */
  readonly trailing: boolean;
};

const HOURS4 = 4 * 3_600;
const GIGABYTES5 = 5 * 1_000_000_000;

type Delivered = {
  /** Players that can play the source's own pictures get them. */
  readonly isCopied?: boolean;
  /** Short side of the largest rung. */
  readonly largest?: number | undefined;
};

type Applies = (source: ProbedVideo & SourceFile & { timeline: Timeline } & Delivered) => boolean;

const rules: readonly (readonly [code: WarningCode, applies: Applies])[] = [
  ['duration_not_recommended', ({ timeline }) => timeline.end > HOURS4],
  ['size_not_recommended', ({ bytes }) => bytes > GIGABYTES5],
  ['codec_not_recommended', ({ video }) => video.codec === 'vp8'],
  ['variable_frame_rate', ({ timeline }) => timeline.variable],
  ['frame_rate_reduced', ({ timeline }) => timeline.thinned],
  [
    'resolution_reduced',
    ({ video, isCopied, largest = USUAL_LARGEST }) => !isCopied && Math.min(video.width, video.height) > largest,
  ],
  ['high_dynamic_range', ({ video, isCopied }) => !isCopied && isHdr(video)],
  ['text_tracks_left_out', ({ textsLeftOut }) => textsLeftOut === true],
  ['interlaced', ({ video }) => video.interlaced],
  ['non_square_pixels', ({ video }) => Math.abs(video.pixelAspect - 1) > 0.01],
  ['odd_dimensions', ({ video }) => video.width % 2 === 1 || video.height % 2 === 1],
  ['resolution_varies', ({ video }) => video.resized],
  ['rotated', ({ video }) => video.upright.length > 0],
  ['no_audio', ({ audio }) => !audio],
  [
    'audio_tracks_left_out',
    ({ audio, audioStreams, alternates = [] }) => audioStreams > alternates.length + Number(audio !== undefined),
  ],
  ['track_passed_over', ({ passedOver }) => passedOver],
  ['trailing_bytes', ({ trailing }) => trailing],
];

/** Transfer functions of HDR10 and HLG (ITU-T H.273). */
export function isHdr({ transfer }: VideoStream): boolean {
  return transfer === 'smpte2084' || transfer === 'arib-std-b67';
}

export function warningsOf(
  probe: ProbedVideo,
  timeline: Timeline,
  file: SourceFile,
  delivered: Delivered = {},
): WarningCode[] {
  const source = { ...probe, ...file, ...delivered, timeline };
  return rules.filter(([, applies]) => applies(source)).map(([code]) => code);
}
