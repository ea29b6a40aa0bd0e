/** Client of transcode: what staff can watch of a video that is still being encoded. */
import { LRUCache } from 'lru-cache';
import { transcode } from '@vds/proto';
import type { EarlyPlaybackOut } from '@vds/proto/generated/vds/transcode/v1/EarlyPlayback.ts';
import type { ConfigOf } from '@vds/chassis/config/config';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export type Early = Pick<EarlyPlaybackOut, 'attempt' | 'rungs' | 'audio'> & {
  /** Texts by their path below the attempt. */
  readonly playlists: ReadonlyMap<string, string>;
};
export type EarlyVideos = ReturnType<typeof openEarlyClient>;

/** One player asks for several playlists and segments at a time. */
const FRESH_MS = 1_000;
const MAX_VIDEOS = 100;

export function openEarlyClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const client = rpcClient(transcode.TranscodeService, {
    ...{ target, config, timeoutMs },
    idempotent: ['GetEarlyPlayback'],
  });
  const recent = new LRUCache<string, Early>({ max: MAX_VIDEOS, ttl: FRESH_MS });
  return {
    /** Undefined while nothing of the video can be played. */
    find: async (videoId: string): Promise<Early | undefined> => {
      const known = recent.get(videoId);
      if (known) return known;
      const reply = await orUndefinedIfNotFound(client.GetEarlyPlayback({ videoId }));
      if (!reply) return undefined;
      const { attempt, rungs, audio = null } = reply;
      const playlists = new Map(reply.playlists.map(({ path, text }) => [path, text]));
      const early = { attempt, rungs, audio, playlists };
      recent.set(videoId, early);
      return early;
    },
    close: client.close,
  };
}
