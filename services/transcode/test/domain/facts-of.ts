/** Facts of an ordinary source, for tests that care for a few of them. */
import type { AudioFacts, SourceFacts, VideoFacts } from '../../src/domain/source/facts.ts';

export const sound: AudioFacts = {
  index: 1,
  codec: 'aac',
  channels: 2,
  sampleRate: 48_000,
  tick: 1 / 48_000,
  language: undefined,
};

export const factsOf = (
  video: Partial<VideoFacts> = {},
  more: Partial<SourceFacts> = {},
): SourceFacts & { readonly video: VideoFacts } => ({
  demuxer: 'mov',
  streams: 2,
  audio: undefined,
  audioStreams: 0,
  declaredDuration: undefined,
  ...more,
  video: {
    index: 0,
    codec: 'h264',
    width: 1_280,
    height: 720,
    pixelAspect: 1,
    upright: [],
    pixelFormat: 'yuv420p',
    transfer: '',
    matrix: '',
    primaries: '',
    interlaced: false,
    declaredRate: 25,
    averageRate: 25,
    tick: 1 / 12_800,
    timescale: 12_800,
    declaredFrames: undefined,
    declaredDuration: undefined,
    ...video,
  },
});
