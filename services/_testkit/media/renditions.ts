/** Renditions in the media bucket, as transcode stores them, for tests of the stages that read them. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { TestBucket } from '../harness/objects.ts';
import { ffmpeg } from './render.ts';

/** The arguments of ffmpeg that write a playlist, an init segment and segments of 6 s into a folder. */
export function hlsOutput(folder: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', join(folder, 'seg-%05d.m4s')],
    join(folder, 'index.m3u8'),
  ];
}

/** The arguments of ffmpeg that encode sound into such a folder. */
export function audioOutput(folder: string): string[] {
  return ['-c:a', 'aac', '-b:a', '96k', '-ar', '48000', ...hlsOutput(folder)];
}

/** Stores every file below a folder, with its path there after the prefix. */
export async function storeFolder(bucket: Pick<TestBucket, 'client' | 'bucket'>, folder: string, prefix: string) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) await bucket.client.fPutObject(bucket.bucket, `${prefix}${relative(folder, path)}`, path);
  }
}

/**
 * Makes an audio rendition and stores it.
 * @param sound a source of ffmpeg's lavfi, such as `sine=d=5`
 * @returns the key of its playlist
 */
export async function storeAudioRendition(bucket: TestBucket, videoId: string, sound: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vds-rendition-'));
  try {
    await ffmpeg(['-f', 'lavfi', '-i', sound, ...audioOutput(folder)]);
    const prefix = `videos/${videoId}/1/audio.1/a/`;
    await storeFolder(bucket, folder, prefix);
    return `${prefix}index.m3u8`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
