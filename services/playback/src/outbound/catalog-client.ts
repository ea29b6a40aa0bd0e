/** Client of catalog: the gate of a video. */
import { catalog } from '@vds/proto';
import { isVideoId } from '@vds/proto/ids';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { Logger } from '@vds/chassis/telemetry/log';
import type { Gate } from '../domain/gate.ts';
import { readSubtitles } from '../domain/subtitles.ts';

type Options = {
  readonly config: ConfigOf<typeof rpcClientConfig>;
  readonly timeoutMs: number;
  readonly log: Logger;
};

export function openCatalogClient(target: string, { config, timeoutMs, log }: Options) {
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent: ['ResolvePlayback'] });
  return {
    /** By its playback id or its own, which differ in form; undefined for an unknown one. */
    resolve: async (id: string): Promise<Gate | undefined> => {
      const request = isVideoId(id) ? { videoId: id } : { playbackId: id };
      const reply = await orUndefinedIfNotFound(client.ResolvePlayback(request));
      if (!reply) return undefined;
      const { tracks, ...gate } = reply;
      const { subtitles, skipped } = readSubtitles(tracks, gate.videoId);
      if (skipped.length > 0)
        log.warn({ video_id: gate.videoId, languages: skipped }, 'invalid caption tracks skipped');
      return { ...gate, subtitles };
    },
    /** Startup check: resolves a playback id that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.ResolvePlayback({ playbackId: '' })),
    close: client.close,
  };
}
