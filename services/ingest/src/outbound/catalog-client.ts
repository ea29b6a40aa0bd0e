/** Client of catalog: reads where the file of a video is. */
import { catalog } from '@vds/proto';
import type { ConfigOf } from '@vds/chassis/config/config';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

/** @param target for example `dns:///catalog:7000` */
export function openCatalogClient(target: string, config: ConfigOf<typeof rpcClientConfig>) {
  const client = rpcClient(catalog.CatalogService, { target, config, idempotent: ['GetSourceAddress'] });
  return {
    /** @throws AppError NOT_FOUND for an attempt that is not processing any more */
    sourceAddress: async (videoId: string, attempt: number): Promise<string> =>
      (await client.GetSourceAddress({ videoId, attempt })).sourceUrl,
    /** For the startup check: requests a video that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetSourceAddress({ videoId: '', attempt: 0 })),
    close: client.close,
  };
}
