/** Audio renditions as transcode leaves them, made by ffmpeg on the fly: spoken sentences, silence, tones. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { House } from './harness.ts';

const execute = promisify(execFile);

/** Clear enough for pocketsphinx. */
export const sentences = {
  save: 'the goalkeeper makes a brilliant save in the final minute of the championship match',
  goal: 'the striker scores the winning goal and the crowd goes wild',
} as const;

/** ffmpeg's inputs. */
export function spoken(text: string, voice = 'slt'): string {
  return `flite=text='${text}':voice=${voice}`;
}

export function silence(seconds: number): string {
  return `anullsrc=r=48000:cl=mono:d=${seconds}`;
}

export function tone(seconds: number): string {
  return `sine=440:r=48000:d=${seconds}`;
}

/**
 * A rendition in the media bucket: init segment, 6 s segments, playlist.
 * @param videoId whose rendition it is
 * @returns key of the playlist
 */
export async function putRendition(house: House, videoId: string, sources: readonly string[]): Promise<string> {
  const folder = await makeFolder();
  try {
    const hls = ['-f', 'hls', '-hls_time', '6', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
    const names = ['-hls_fmp4_init_filename', 'init.mp4', '-hls_segment_filename', join(folder, 'seg-%05d.m4s')];
    await ffmpeg(...joined(sources), '-c:a', 'aac', '-b:a', '128k', ...hls, ...names, join(folder, 'index.m3u8'));
    // transcode's addresses are relative to the attempt.
    const list = await readFile(join(folder, 'index.m3u8'), 'utf8');
    await writeFile(join(folder, 'index.m3u8'), list.replaceAll(/(init\.mp4|seg-\d+\.m4s)/g, '../../audio.1/a/$1'));
    const prefix = `videos/${videoId}/1/audio.1/a/`;
    for (const name of await readdir(folder))
      await house.media.client.fPutObject(house.media.bucket, `${prefix}${name}`, join(folder, name));
    return `${prefix}index.m3u8`;
  } finally {
    await removeFolder(folder);
  }
}

export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'captions-test-'));
}

/** Runs ffmpeg quietly; `args` end with the output's path. */
async function ffmpeg(...args: readonly string[]): Promise<void> {
  await execute('ffmpeg', ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...args]);
}

/** @param sources lavfi sources that follow on each other */
function joined(sources: readonly string[]): string[] {
  const labels = sources.map(
    (_source, index) => `[${index}:a]aresample=48000,aformat=channel_layouts=stereo[a${index}]`,
  );
  const chain = `${sources.map((_source, index) => `[a${index}]`).join('')}concat=n=${sources.length}:v=0:a=1[out]`;
  return [
    ...sources.flatMap((source) => ['-f', 'lavfi', '-i', source]),
    ...['-filter_complex', [...labels, chain].join(';'), '-map', '[out]'],
  ];
}

export function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
