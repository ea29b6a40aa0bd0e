/** Fetches the parts of a video's renditions that an analysis needs from the media bucket into scratch. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getDocument } from '@vds/chassis/objects/documents';
import type { Objects } from '@vds/chassis/objects/objects';
import { mediaPlaylist, type MediaPlaylist, type MediaSegment } from '@vds/proto/documents/media-playlist';

/** @param path of the playlist below the attempt */
export function fetchPlaylist(
  media: Objects,
  { videoId, attempt }: { readonly videoId: string; readonly attempt: number },
  path: string,
): Promise<MediaPlaylist> {
  return getDocument(media, `videos/${videoId}/${attempt}/${path}`, mediaPlaylist);
}

/** Concatenates an init segment and segments into a file that ffmpeg reads. */
export async function joinSegments(
  media: Objects,
  { init }: MediaPlaylist,
  segments: readonly MediaSegment[],
  path: { readonly scratch: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  const keys = [init, ...segments.map(({ key }) => key)];
  for (const [place, key] of keys.entries())
    await pipeline(
      await media.getStream(key),
      createWriteStream(join(path.scratch, path.name), { flags: place === 0 ? 'w' : 'a' }),
      { signal },
    );
}
