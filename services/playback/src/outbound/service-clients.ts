/** auth and catalog, as playback needs them. */
import { auth, catalog } from '@vds/proto';
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import type { CachedAnswer } from '@vds/chassis/cache/stale-cache';
import type { ConfigOf } from '@vds/chassis/config/config';
import { AppError } from '@vds/chassis/errors';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import type { Logger } from '@vds/chassis/telemetry/log';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { Gate } from '../domain/gate.ts';
import { readSubtitles } from '../domain/subtitles.ts';

type ClientConfig = ConfigOf<typeof rpcClientConfig>;

export function openAuth(target: string, config: ClientConfig, timeoutMs: number) {
  const client = rpcClient(auth.AuthService, { target, config, timeoutMs, idempotent: ['GetJwks'] });
  return { getJwks: (): Promise<JwksOut> => client.GetJwks({}), close: client.close };
}

export function openCatalog(target: string, config: ClientConfig, timeoutMs: number, log: Logger) {
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent: ['ResolvePlayback'] });
  return {
    /** No value for a playback id that nobody knows. */
    resolve: async (playbackId: string): Promise<CachedAnswer<Gate>> => {
      try {
        const { tracks, ageMs, ...gate } = await client.ResolvePlayback({ playbackId });
        const { subtitles, leftOut } = readSubtitles(tracks, gate.videoId);
        if (leftOut.length > 0)
          log.warn(
            { video_id: gate.videoId, languages: leftOut },
            'caption tracks that cannot be offered are left out',
          );
        return { value: { ...gate, subtitles }, ageMs };
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return { value: undefined, ageMs: 0 };
        throw error;
      }
    },
    /** For the first contact: asks about a playback id that nobody has. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.ResolvePlayback({ playbackId: '' })),
    close: client.close,
  };
}
