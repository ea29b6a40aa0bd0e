/** Plays what is finished of a video that is still being processed, for staff and apps; its address has the video's id. */
import type { Request, Response } from 'express';
import { attemptPrefix } from '@vds/chassis/objects/keys';
import { isPreviewOpenTo } from '../domain/gate.ts';
import { previewMaster } from '../domain/preview.ts';
import type { MediaPath } from '../domain/media-path.ts';
import type { Claims } from '../domain/token-claims.ts';
import type { Gates } from '../outbound/gates.ts';
import type { Previews, ShownPreview } from '../outbound/preview-client.ts';
import { notFound, sendPlaylist } from './responses.ts';

/** Playlists grow. */
const GROWING = 'no-store';

export type PreviewPeers = { readonly gates: Pick<Gates, 'find'>; readonly previews: Pick<Previews, 'find'> };

/** @throws NOT_FOUND while the video is closed to the token's bearer, and while nothing of it can be played */
export async function openPreview(
  { gates, previews }: PreviewPeers,
  videoId: string,
  bearer: Claims['preview'],
): Promise<ShownPreview> {
  const { value: gate, ageMs } = await gates.find(videoId, true);
  if (!gate || !isPreviewOpenTo(bearer, gate, ageMs)) throw notFound();
  const preview = await previews.find(videoId);
  if (!preview) throw notFound();
  return preview;
}

/**
 * Sends a playlist.
 * @returns the key of the object to serve instead; undefined where a playlist was sent
 */
export function sendPreview(
  preview: ShownPreview,
  { videoId, path }: Extract<MediaPath, { readonly kind: 'preview' }>,
  request: Request,
  response: Response,
): string | undefined {
  const text = path === 'master.m3u8' ? previewMaster(preview) : preview.playlists.get(path);
  if (text === undefined) return attemptPrefix(videoId, preview.attempt) + path;
  sendPlaylist(request, response, GROWING, text);
  return undefined;
}
