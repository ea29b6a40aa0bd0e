/** Client of catalog: the gate of a playback id. */
import { catalog } from '@vds/proto';
import type { CachedAnswer } from '@vds/chassis/cache/stale-cache';
import type { ConfigOf } from '@vds/chassis/config/config';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
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
    /** No value for an unknown playback id. */
    resolve: async (playbackId: string): Promise<CachedAnswer<Gate>> => {
      const reply = await orUndefinedIfNotFound(client.ResolvePlayback({ playbackId }));
      if (!reply) return { value: undefined, ageMs: 0 };
      const { tracks, ageMs, ...gate } = reply;
      const { subtitles, skipped } = readSubtitles(tracks, gate.videoId);
      if (skipped.length > 0)
        log.warn({ video_id: gate.videoId, languages: skipped }, 'invalid caption tracks skipped');
      return { value: { ...gate, subtitles }, ageMs };
    },
    /** Startup check: resolves a playback id that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.ResolvePlayback({ playbackId: '' })),
    close: client.close,
  };
}
