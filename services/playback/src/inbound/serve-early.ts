/** Plays for staff what is finished of a video that is still being encoded; its address has the video's id. */
import type { Request, Response } from 'express';
import { earlyMaster, earlyPrefix } from '../domain/early-playback.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { Early, EarlyVideos } from '../outbound/early-client.ts';
import { notFound, sendPlaylist } from './responses.ts';

/** Playlists grow. */
const GROWING = 'no-store';

/** @throws NOT_FOUND while nothing of the video can be played */
export async function findEarly(videos: Pick<EarlyVideos, 'find'>, videoId: string): Promise<Early> {
  const early = await videos.find(videoId);
  if (!early) throw notFound();
  return early;
}

/**
 * Sends a playlist.
 * @returns the key of the object to serve instead; undefined where a playlist was sent
 */
export function sendEarly(
  early: Early,
  path: Extract<MediaPath, { readonly token: string }>,
  request: Request,
  response: Response,
): string | undefined {
  if (path.kind === 'master') {
    sendPlaylist(request, response, GROWING, earlyMaster(early));
    return undefined;
  }
  if (path.kind !== 'file') throw notFound();
  const text = early.playlists.get(path.path);
  if (text === undefined) return earlyPrefix(path.playbackId, early.attempt) + path.path;
  sendPlaylist(request, response, GROWING, text);
  return undefined;
}
