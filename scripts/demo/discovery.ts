/** The pages' queries of the search index: by the same RPC as the platform's apps, never the search cluster itself. */
import { indexer } from '@vds/proto';
import type { IndexerServiceClient } from '@vds/proto/generated/vds/indexer/v1/IndexerService.ts';
import type { FeedReplyOut } from '@vds/proto/generated/vds/indexer/v1/FeedReply.ts';
import type { RecommendReplyOut } from '@vds/proto/generated/vds/indexer/v1/RecommendReply.ts';
import type { SearchReplyOut } from '@vds/proto/generated/vds/indexer/v1/SearchReply.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import { APPS } from '@vds/deploy-tools/services';
import type { Stack } from '@vds/testkit/stack/start-stack';
import { noTls } from '@vds/testkit/harness/rpc-callers';

/** How the pages reach the services of a stack, or of a release in a cluster. */
export type PlatformServices = Pick<Stack, 'rpc' | 'tokens'> & {
  /** The certificate with which to call them; none by default. */
  readonly clientTls?: Readonly<Record<'tlsCertFile' | 'tlsKeyFile' | 'tlsCaFile', string>>;
};

type Narrowed = { readonly sport?: string; readonly category?: string; readonly cursor?: string };

export type Discovery = {
  readonly search: (query: Narrowed & { readonly query: string }) => Promise<SearchReplyOut>;
  readonly feed: (query: Narrowed) => Promise<FeedReplyOut>;
  /** More like this video. */
  readonly similar: (videoId: string) => Promise<RecommendReplyOut>;
  readonly close: () => Promise<void>;
};

const PAGE = 24;

/** Discovery of running services. */
export function discoveryOf(services: PlatformServices): Discovery {
  const client = rpcClient<IndexerServiceClient>(indexer.IndexerService, {
    target: services.rpc('indexer'),
    config: { rpcToken: services.tokens[APPS], ...tlsOf(services) },
    idempotent: ['Search', 'Feed', 'Recommend'],
  });
  return {
    search: async (query) => await client.Search({ ...query, limit: PAGE }),
    feed: async (query) => await client.Feed({ ...query, limit: PAGE }),
    similar: async (videoId) => await client.Recommend({ videoIds: [videoId], limit: 6 }),
    close: client.close,
  };
}

/** The TLS settings of a client of these services. */
export function tlsOf({ clientTls }: PlatformServices) {
  return clientTls ?? noTls;
}
