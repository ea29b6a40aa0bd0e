/** A test's videos, as catalog would resolve them for playback, captions and metadata. */
import { randomBytes } from 'node:crypto';
import type { ResolvedPlayback } from '@vds/proto/generated/vds/catalog/v1/ResolvedPlayback.ts';
import { notFound } from '@vds/chassis/errors';

export function openTestGates() {
  const videos = new Map<string, ResolvedPlayback>();
  let asked = 0;
  return {
    /** By id; at first there are none. */
    videos,
    /** An id of the form that the gateway gives. */
    newId: (): string => `0${randomBytes(13).toString('hex').slice(1)}`,
    /** How often catalog was asked. */
    asked: (): number => asked,
    /** Catalog's method. */
    ResolvePlayback: async ({ videoId }: { readonly videoId: string }): Promise<ResolvedPlayback> => {
      asked += 1;
      const video = videos.get(videoId);
      if (!video) throw notFound('the video');
      return { videoId, state: 'VIDEO_STATE_READY', ladderKey: `videos/${videoId}/1/ladder.json`, ...video };
    },
  };
}
