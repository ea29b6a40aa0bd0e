/** The objects of a finished caption track, and its message. */
import type { TrackOut } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import type { TestBucket } from '@vds/testkit/harness/objects';

const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,\nseg-00000.vtt\n#EXT-X-ENDLIST\n';

export function captionTrack(videoId: string, language: string, fence = 1): TrackOut {
  return {
    language,
    provided: false,
    correctedBy: '',
    kind: language === 'en' ? 'captions' : 'subtitles',
    status: 'ready',
    name: `Name of ${language}`,
    playlistKey: `${folder(videoId, language, fence)}/index.m3u8`,
    textKey: `${folder(videoId, language, fence)}/track.json`,
    path: ['en', language],
  };
}

function folder(videoId: string, language: string, fence: number): string {
  return `videos/${videoId}/1/translate-${language}.${fence}`;
}

/** @param text of its one cue */
export async function putTrack(
  bucket: TestBucket,
  videoId: string,
  language: string,
  text = 'Palabras',
  fence = 1,
): Promise<void> {
  const put = (file: string, body: string): Promise<unknown> =>
    bucket.client.putObject(bucket.bucket, `${folder(videoId, language, fence)}/${file}`, body);
  await Promise.all([
    put('index.m3u8', playlist),
    put('seg-00000.vtt', cue(text)),
    put('captions.vtt', cue(text)),
    put('track.json', '{"version":1,"sentences":[]}'),
  ]);
}

export function cue(text: string): string {
  return `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`;
}
