/** Probe and packets of an ordinary source, for tests that depend on a few of them. */
import type { AudioStream, ProbedVideo, ProbeResult, VideoStream } from '../../src/domain/source/probe.ts';
import { collectPackets } from '../../src/domain/source/stored-packets.ts';
import type { FrameScan } from '../../src/domain/source/frame-scan.ts';

export const sound: AudioStream = {
  index: 1,
  codec: 'aac',
  channels: 2,
  layout: 'stereo',
  sampleRate: 48_000,
  tick: 1 / 48_000,
  language: undefined,
  declaredDuration: undefined,
};

export function probeOf(video: Partial<VideoStream> = {}, more: Partial<ProbeResult> = {}): ProbedVideo {
  return {
    demuxer: 'mov',
    streams: 2,
    audio: undefined,
    audioStreams: 0,
    passedOver: false,
    declaredDuration: undefined,
    ...more,
    video: {
      index: 0,
      codec: 'h264',
      width: 1_280,
      height: 720,
      resized: false,
      unedited: false,
      pixelAspect: 1,
      upright: [],
      pixelFormat: 'yuv420p',
      transfer: '',
      matrix: '',
      primaries: '',
      range: '',
      peakLight: undefined,
      dolbyVision: undefined,
      closedCaptions: false,
      interlaced: false,
      wronglyMarked: false,
      fields: undefined,
      tick: 1 / 12_800,
      timescale: 12_800,
      declaredDuration: undefined,
      ...video,
    },
  };
}

/** A scan in which nothing is hidden or untimed, unless `scan` declares it. */
export function scanOf(scan: Partial<FrameScan> & Pick<FrameScan, 'times' | 'keys' | 'end'>): FrameScan {
  const { end, audio } = scan;
  const usual = {
    audio: undefined,
    soundLength: 0,
    stored: collectPackets().finish(),
    leadIn: 1,
    hiddenInside: false,
    hiddenBefore: undefined,
    heldFrom: undefined,
    lostFrom: undefined,
    untimed: 0,
    indivisible: false,
    packets: new Map(),
    restart: undefined,
  };
  return { ...usual, lastEnd: Math.max(end, audio?.end ?? 0), ...scan };
}
