/** A `ladder.json` as its writer leaves it in the bucket. */
import type { LadderDocument } from '@vds/proto/documents/ladder';

export function ladderOf(videoId: string) {
  return {
    version: 1 as const,
    videoId,
    attempt: 1,
    durationMs: 12_000,
    frames: 360,
    rungs: [
      {
        name: '1080p',
        width: 1920,
        height: 1080,
        frameRate: 29.97,
        bandwidth: 4_000_000,
        averageBandwidth: 3_000_000,
        codecs: 'avc1.640028',
        playlist: 'assemble.1/v/1080p/index.m3u8',
      },
      {
        name: '720p',
        width: 1280,
        height: 720,
        frameRate: 29.97,
        bandwidth: 1_000_000,
        averageBandwidth: 800_000,
        codecs: 'avc1.64001f',
        playlist: 'assemble.1/v/720p/index.m3u8',
      },
    ],
    audio: {
      channels: 2,
      sampleRate: 48_000,
      language: 'eng',
      bandwidth: 128_000,
      averageBandwidth: 100_000,
      codecs: 'mp4a.40.2',
      playlist: 'audio.1/a/index.m3u8',
    },
    thumbnail: { path: 'piece-0.1/thumbnail.jpg', width: 1280, height: 720 },
    storyboard: { track: 'assemble.1/storyboard.vtt', intervalSeconds: 2, tile: { width: 160, height: 90 } },
  } satisfies LadderDocument;
}
