/** Clients of catalog and auth. */
import { auth, catalog } from '@vds/proto';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { PublisherFacts, VideoFacts } from './attribute.ts';

type Config = ConfigOf<typeof rpcClientConfig>;

export function openCatalogClient(target: string, config: Config) {
  const client = rpcClient(catalog.CatalogService, { target, config, idempotent: ['AttributeVideo'] });
  return {
    video: async (videoId: string): Promise<VideoFacts> => {
      const { durationMs = null, ...facts } = await client.AttributeVideo({ videoId });
      return { ...facts, durationMs };
    },
    /** For the startup check. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.AttributeVideo({ videoId: '' })),
    close: client.close,
  };
}

export function openAuthClient(target: string, config: Config) {
  const client = rpcClient(auth.AuthService, { target, config, idempotent: ['DescribePublisher'] });
  return {
    publisher: (publisherId: string): Promise<PublisherFacts> => client.DescribePublisher({ publisherId }),
    /** For the startup check. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.DescribePublisher({ publisherId: '' })),
    close: client.close,
  };
}
