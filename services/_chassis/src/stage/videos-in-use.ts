/**
 * Which documents of a video catalog uses: what viewers get. The owner of a bucket asks before it removes what its rows
 * do not name: its database may have been restored.
 */
import { catalog } from '@vds/proto';
import type { CatalogServiceClient } from '@vds/proto/generated/vds/catalog/v1/CatalogService.ts';
import type { CatalogVideoInUseOut as VideoInUse } from '@vds/proto/generated/vds/catalog/v1/CatalogVideoInUse.ts';
import { text, type ConfigOf, type ConfigSpec } from '../config/config.ts';
import { rpcClient, rpcClientConfig } from '../rpc/rpc-client.ts';

export type { VideoInUse };
export type VideosInUse = ReturnType<typeof openVideosInUse>;

export const videosInUseConfig = {
  ...rpcClientConfig,
  /** Address of catalog. */
  catalogTarget: ['CATALOG_RPC', text],
} as const satisfies ConfigSpec;

export function openVideosInUse(config: ConfigOf<typeof videosInUseConfig>) {
  const idempotent = ['ListVideosInUse'];
  const options = { target: config.catalogTarget, config, timeoutMs: 10_000, idempotent };
  const client = rpcClient<CatalogServiceClient>(catalog.CatalogService, options);
  return {
    /** Those of at most 200 videos, as catalog has them now. */
    of: async (videoIds: readonly string[]): Promise<readonly VideoInUse[]> =>
      videoIds.length === 0 ? [] : (await client.ListVideosInUse({ videoIds: [...videoIds] })).videos,
    /** For the startup check. */
    reach: (): Promise<unknown> => client.ListVideosInUse({ videoIds: [''] }),
    close: client.close,
  };
}
