/** auth and catalog, as playback needs them. */
import { auth, catalog } from '@vds/proto';
import type { JwksOut } from '@vds/proto/generated/vds/auth/v1/Jwks.ts';
import type { ConfigOf } from '@vds/shared/config';
import { AppError } from '@vds/shared/errors';
import { rpcClient, type rpcClientConfig } from '@vds/shared/rpc-client';
import type { Gate } from '../domain/gate.ts';

type ClientConfig = ConfigOf<typeof rpcClientConfig>;

export const openAuth = (target: string, config: ClientConfig, timeoutMs: number) => {
  const client = rpcClient(auth.AuthService, { target, config, timeoutMs, idempotent: ['GetJwks'] });
  return { getJwks: (): Promise<JwksOut> => client.GetJwks({}), close: client.close };
};

export const openCatalog = (target: string, config: ClientConfig, timeoutMs: number) => {
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent: ['ResolvePlayback'] });
  return {
    /** Undefined for a playback id that nobody knows. */
    resolve: async (playbackId: string): Promise<Gate | undefined> => {
      try {
        return await client.ResolvePlayback({ playbackId });
      } catch (error) {
        if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
        throw error;
      }
    },
    close: client.close,
  };
};
