/** Fetches the parts of a video's renditions that an analysis needs from the media bucket into scratch. */
import { join } from 'node:path';
import { getDocument } from '@vds/chassis/objects/documents';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import type { Objects } from '@vds/chassis/objects/objects';
import { mediaPlaylist, type MediaPlaylist, type MediaSegment } from '@vds/proto/documents/media-playlist';

/** @param path of the playlist below the attempt */
export function fetchPlaylist(
  media: Objects,
  { videoId, attempt }: { readonly videoId: string; readonly attempt: number },
  path: string,
): Promise<MediaPlaylist> {
  return getDocument(media, `${attemptPrefix(videoId, attempt)}${path}`, mediaPlaylist);
}

/** Concatenates an init segment and segments into a file that ffmpeg reads. */
export async function joinSegments(
  media: Objects,
  { init }: MediaPlaylist,
  segments: readonly MediaSegment[],
  path: { readonly scratch: string; readonly name: string },
  signal: AbortSignal,
): Promise<void> {
  await media.joinToFile([init, ...segments.map(({ key }) => key)], join(path.scratch, path.name), signal);
}
