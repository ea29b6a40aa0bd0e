/** A `ladder.json` as its writer leaves it in the bucket. */
export function ladderDocument(videoId: string) {
  return {
    version: 1,
    video_id: videoId,
    attempt: 1,
    duration_ms: 12_000,
    frames: 360,
    rungs: [
      {
        name: '1080p',
        width: 1920,
        height: 1080,
        frame_rate: 29.97,
        bandwidth: 4_000_000,
        average_bandwidth: 3_000_000,
        codecs: 'avc1.640028',
        playlist: 'assemble.1/v/1080p/index.m3u8',
      },
      {
        name: '720p',
        width: 1280,
        height: 720,
        frame_rate: 29.97,
        bandwidth: 1_000_000,
        average_bandwidth: 800_000,
        codecs: 'avc1.64001f',
        playlist: 'assemble.1/v/720p/index.m3u8',
      },
    ],
    audio: {
      channels: 2,
      sample_rate: 48_000,
      language: 'eng',
      bandwidth: 128_000,
      average_bandwidth: 100_000,
      codecs: 'mp4a.40.2',
      playlist: 'audio.1/a/index.m3u8',
    },
    thumbnail: { path: 'piece-0.1/thumbnail.jpg', width: 1280, height: 720 },
    storyboard: { track: 'assemble.1/storyboard.vtt', interval_seconds: 2, tile: { width: 160, height: 90 } },
  };
}
