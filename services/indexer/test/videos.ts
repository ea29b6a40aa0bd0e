/** Videos as catalog, metadata and captions describe them. */
import { randomBytes } from 'node:crypto';
import type { Clip } from '@vds/proto/generated/vds/catalog/v1/Clip.ts';
import type { Metadata } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { Track } from '@vds/proto/generated/vds/captions/v1/Track.ts';
import { trackDocument } from '@vds/proto/documents/track';
import type { TestBucket } from '@vds/testkit/harness/objects';

const letters = '0123456789abcdefghjkmnpqrstvwxyz';

export type TestClip = Clip & { readonly videoId: string };

export type Line = readonly [startMs: number, text: string];

export function newId(): string {
  return `0${[...randomBytes(25)].map((byte) => letters[byte % 32]).join('')}`;
}

/** A live English clip, published now. */
export function clip(videoId: string, more: Partial<Clip> = {}): TestClip {
  return {
    videoId,
    publisherId: 'pub1',
    title: 'Untitled',
    tags: [],
    languageCode: 'en',
    durationMs: 60_000,
    playbackId: `pb${videoId}`,
    publishedAt: new Date().toISOString(),
    ...more,
  };
}

/** Writes a track's sentences where captions writes them, and returns the track. */
export async function putTrack(
  bucket: TestBucket,
  videoId: string,
  language: string,
  lines: readonly Line[],
): Promise<Track> {
  const key = `videos/${videoId}/1/tracks.${language}/track.json`;
  const sentences = lines.map(([startMs, text]) => ({ startMs, endMs: startMs + 2_000, text, cues: [] }));
  const body = trackDocument.write({ version: 1, videoId, language, kind: 'captions', sentences });
  await bucket.client.putObject(bucket.bucket, key, body);
  return {
    language,
    kind: 'captions',
    status: 'ready',
    name: language,
    textKey: key,
    playlistKey: `${key}.m3u8`,
    path: [language],
  };
}

/** Metadata's results: texts on screen and topics. */
export function metadataFor(videoId: string, screen: readonly Line[], topics: readonly string[] = []): Metadata {
  return {
    videoId,
    attempt: 1,
    revision: 0,
    screenTexts: screen.map(([startMs, text]) => ({ text, startMs, endMs: startMs + 2_000, confidence: 0.9 })),
    topics: topics.map((name, at) => ({ name, score: 1 - at / 100 })),
  };
}
