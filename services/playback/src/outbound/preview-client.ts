/** Client of transcode: what staff can watch of a video that is still being encoded. */
import { LRUCache } from 'lru-cache';
import { transcode } from '@vds/proto';
import type { PreviewOut } from '@vds/proto/generated/vds/transcode/v1/Preview.ts';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export type ShownPreview = Pick<PreviewOut, 'attempt' | 'rungs' | 'audio'> & {
  /** Texts by their path below the attempt. */
  readonly playlists: ReadonlyMap<string, string>;
};
export type Previews = ReturnType<typeof openPreviewClient>;

/** One player asks for several playlists and segments at a time. */
const FRESH_MS = 1_000;
const MAX_VIDEOS = 100;

export function openPreviewClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const client = rpcClient(transcode.TranscodeService, {
    ...{ target, config, timeoutMs },
    idempotent: ['GetPreview'],
  });
  const recent = new LRUCache<string, ShownPreview>({ max: MAX_VIDEOS, ttl: FRESH_MS });
  return {
    /** Undefined while nothing of the video can be played. */
    find: async (videoId: string): Promise<ShownPreview | undefined> => {
      const known = recent.get(videoId);
      if (known) return known;
      const reply = await orUndefinedIfNotFound(client.GetPreview({ videoId }));
      if (!reply) return undefined;
      const { attempt, rungs, audio = null } = reply;
      const playlists = new Map(reply.playlists.map(({ path, text }) => [path, text]));
      const preview = { attempt, rungs, audio, playlists };
      recent.set(videoId, preview);
      return preview;
    },
    close: client.close,
  };
}
