/** A title's renditions in the media bucket, brought to scratch as far as an analysis needs them. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@vds/chassis/errors';
import type { Objects } from '@vds/chassis/objects/objects';
import { readLadder, type Ladder } from '../domain/ladder.ts';
import { readPlaylist, type Playlist, type Segment } from '../domain/playlist.ts';

const mostBytes = 8 * 2 ** 20;

export async function fetchLadder(media: Objects, key: string): Promise<Ladder> {
  return readLadder(await readJson(media, key));
}

/** A small object as JSON. @throws AppError INVALID_ARGUMENT where it is none */
export async function readJson(objects: Pick<Objects, 'stat' | 'getBytes'>, key: string): Promise<unknown> {
  const text = await readText(objects, key);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('INVALID_ARGUMENT', `${key} is no JSON`, { cause });
  }
}

/** A small object as text. @throws AppError INVALID_ARGUMENT where it is too large to be what it should be */
async function readText(objects: Pick<Objects, 'stat' | 'getBytes'>, key: string): Promise<string> {
  if ((await objects.stat(key)).size > mostBytes) throw new AppError('INVALID_ARGUMENT', `${key} is too large`);
  return (await objects.getBytes(key)).toString('utf8');
}

/** @param path of the playlist below the attempt */
export async function fetchPlaylist(
  media: Objects,
  { videoId, attempt }: { readonly videoId: string; readonly attempt: number },
  path: string,
): Promise<Playlist> {
  const root = rootOf(videoId, attempt);
  return readPlaylist(await readText(media, `${root}${path}`), `${root}${path}`, root);
}

function rootOf(videoId: string, attempt: number): string {
  return `videos/${videoId}/${attempt}/`;
}

/** Writes an init segment and segments behind each other: together they are a file that ffmpeg reads. */
export async function joinSegments(
  media: Objects,
  { map }: Playlist,
  segments: readonly Segment[],
  path: { readonly scratch: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const keys = [map, ...segments.map(({ key }) => key)];
  for (const [place, key] of keys.entries())
    await pipeline(
      await media.getStream(key),
      createWriteStream(join(path.scratch, path.name), { flags: place === 0 ? 'w' : 'a' }),
      { signal },
    );
}
