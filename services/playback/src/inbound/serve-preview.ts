/** Plays for staff what is finished of a video that is still being encoded; its address has the video's id. */
import type { Request, Response } from 'express';
import { previewMaster, previewPrefix } from '../domain/preview.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { ShownPreview, Previews } from '../outbound/preview-client.ts';
import { notFound, sendPlaylist } from './responses.ts';

/** Playlists grow. */
const GROWING = 'no-store';

/** @throws NOT_FOUND while nothing of the video can be played */
export async function findPreview(videos: Pick<Previews, 'find'>, videoId: string): Promise<ShownPreview> {
  const preview = await videos.find(videoId);
  if (!preview) throw notFound();
  return preview;
}

/**
 * Sends a playlist.
 * @returns the key of the object to serve instead; undefined where a playlist was sent
 */
export function sendPreview(
  preview: ShownPreview,
  path: Extract<MediaPath, { readonly token: string }>,
  request: Request,
  response: Response,
): string | undefined {
  if (path.kind === 'master') {
    sendPlaylist(request, response, GROWING, previewMaster(preview));
    return undefined;
  }
  if (path.kind !== 'file') throw notFound();
  const text = preview.playlists.get(path.path);
  if (text === undefined) return previewPrefix(path.playbackId, preview.attempt) + path.path;
  sendPlaylist(request, response, GROWING, text);
  return undefined;
}
