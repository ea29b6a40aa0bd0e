/** Client of metadata. */
import { metadata } from '@vds/proto';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import { failFast } from './fail-fast.ts';

export function openMetadataClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const client = rpcClient(metadata.MetadataService, { target, config, timeoutMs, idempotent: ['GetMetadata'] });
  const get = (videoId: string): Promise<MetadataOut | undefined> =>
    orUndefinedIfNotFound(client.GetMetadata({ videoId }));
  return {
    /** Undefined while there is none. */
    get: failFast(get),
    /** For the startup check: requests an id that no video has. */
    reach: (): Promise<unknown> => get(''),
    close: client.close,
  };
}
