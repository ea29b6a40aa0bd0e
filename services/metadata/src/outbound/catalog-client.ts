/** Client of catalog: reads the partner's description of a video. */
import { catalog } from '@vds/proto';
import type { ConfigOf } from '@vds/chassis/config/config';
import { orUndefinedIfNotFound } from '@vds/chassis/process/startup-checks';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';
import type { Description } from '../domain/description.ts';

/** @param target for example `dns:///catalog:7000` */
export function openCatalogClient(target: string, config: ConfigOf<typeof rpcClientConfig>) {
  const client = rpcClient(catalog.CatalogService, { target, config, idempotent: ['DescribeVideo'] });
  return {
    /** @throws AppError NOT_FOUND for a video that is gone */
    describe: async (videoId: string): Promise<Description> => {
      const { title, summary, tags, sport, category, languageCode, transcriptKey } = await client.DescribeVideo({
        videoId,
      });
      return { title, summary, tags, sport, category, language: languageCode, transcriptKey };
    },
    /** For the startup check: requests a video that does not exist. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.DescribeVideo({ videoId: '' })),
    close: client.close,
  };
}
