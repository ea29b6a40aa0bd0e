/** Client of catalog: reads the partner's description of a video. */
import { catalog } from '@vds/proto';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { Description } from '../domain/model.ts';

/** @param target for example `dns:///catalog:7000` */
export function openCatalogClient(target: string, config: ConfigOf<typeof rpcClientConfig>) {
  const client = rpcClient(catalog.CatalogService, { target, config, idempotent: ['DescribeVideo'] });
  return {
    /** @throws AppError NOT_FOUND for a video that is gone */
    describe: (videoId: string): Promise<Description> => client.DescribeVideo({ videoId }),
    /** For the startup check: requests a video that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.DescribeVideo({ videoId: '' })),
    close: client.close,
  };
}
