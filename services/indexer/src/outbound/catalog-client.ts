/** Client of catalog. */
import { catalog } from '@vds/proto';
import type { IndexableOut } from '@vds/proto/generated/vds/catalog/v1/Indexable.ts';
import type { ListVideosReplyOut } from '@vds/proto/generated/vds/catalog/v1/ListVideosReply.ts';
import { orUndefinedIfNotFound } from '@vds/chassis/errors';
import type { ConfigOf } from '@vds/chassis/config/config';
import { rpcClient, type rpcClientConfig } from '@vds/chassis/rpc/rpc-client';

export function openCatalogClient(target: string, config: ConfigOf<typeof rpcClientConfig>, timeoutMs: number) {
  const idempotent = ['GetIndexable', 'ListVideos'];
  const client = rpcClient(catalog.CatalogService, { target, config, timeoutMs, idempotent });
  return {
    /** Undefined for an unknown video. */
    getIndexable: (videoId: string): Promise<IndexableOut | undefined> =>
      orUndefinedIfNotFound(client.GetIndexable({ videoId })),
    /** Every video by rising number of its latest version, deleted ones too. */
    list: (afterVersionSeq: number, limit: number): Promise<ListVideosReplyOut> =>
      client.ListVideos({ afterVersionSeq, limit }),
    /** For the startup check: requests an id that no video has. */
    reach: (): Promise<unknown> => orUndefinedIfNotFound(client.GetIndexable({ videoId: '' })),
    close: client.close,
  };
}
