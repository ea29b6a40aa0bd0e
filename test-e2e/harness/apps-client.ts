/**
 * The platform's apps: search, feeds and recommendations, as they query the index, and what they read of a video; and,
 * for the operator, a video's documents in the index.
 */
import { captions, indexer, metadata } from '@vds/proto';
import type { TranscriptOut } from '@vds/proto/generated/vds/captions/v1/Transcript.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { FeedReplyOut } from '@vds/proto/generated/vds/indexer/v1/FeedReply.ts';
import type { IndexedVideoOut } from '@vds/proto/generated/vds/indexer/v1/IndexedVideo.ts';
import type { RecommendReplyOut } from '@vds/proto/generated/vds/indexer/v1/RecommendReply.ts';
import type { ReindexStatusOut } from '@vds/proto/generated/vds/indexer/v1/ReindexStatus.ts';
import type { SearchReplyOut } from '@vds/proto/generated/vds/indexer/v1/SearchReply.ts';
import type { SearchRequest } from '@vds/proto/generated/vds/indexer/v1/SearchRequest.ts';
import type { FeedRequest } from '@vds/proto/generated/vds/indexer/v1/FeedRequest.ts';
import { rpcClient } from '@vds/chassis/rpc/rpc-client';
import type { Site } from './site.ts';
import { noTls } from '@vds/testkit/harness/rpc-callers';

export type Apps = ReturnType<typeof appsOf>;

/**
 * @param site its indexer must run; calls wait up to 10 s
 * @param idempotent methods of the index that are repeated while it is unavailable, as the guide for apps has it: a
 *   connection ends after a minute, and what is being sent on it may be lost. Not for tests of availability.
 */
export function appsOf(site: Pick<Site, 'rpc' | 'tokens' | 'clientTls'>, idempotent: readonly string[] = []) {
  const tls = site.clientTls ?? noTls;
  const config = { rpcToken: site.tokens.apps, ...tls };
  const service = rpcClient(indexer.IndexerService, {
    target: site.rpc('indexer'),
    config,
    timeoutMs: 10_000,
    idempotent,
  });
  const texts = rpcClient(captions.CaptionsService, { target: site.rpc('captions'), config, timeoutMs: 10_000 });
  const described = rpcClient(metadata.MetadataService, { target: site.rpc('metadata'), config, timeoutMs: 10_000 });
  const admin = rpcClient(indexer.IndexerAdmin, {
    target: site.rpc('indexer', 'adminRpc'),
    config: { rpcToken: site.tokens.vdsctl, ...tls },
    timeoutMs: 10_000,
  });
  const search = (query: string, more: SearchRequest = {}): Promise<SearchReplyOut> =>
    service.Search({ query, ...more });
  const feed = (request: FeedRequest): Promise<FeedReplyOut> => service.Feed(request);
  const recommend = (id: string): Promise<RecommendReplyOut> => service.Recommend({ videoIds: [bare(id)], limit: 50 });
  return {
    search,
    feed,
    recommend,
    metadata: (id: string): Promise<MetadataOut> => described.GetMetadata({ videoId: bare(id) }),
    transcript: (id: string, languageCode = ''): Promise<TranscriptOut> =>
      texts.GetTranscript({ videoId: bare(id), languageCode }),
    /** Whether a search for `query` has the video on its first page. */
    finds: async (query: string, id: string): Promise<boolean> =>
      (await search(query, { limit: 50 })).hits.some((hit) => hit.item?.videoId === bare(id)),
    /** A video's documents in the index, including tombstones. */
    indexed: (id: string): Promise<IndexedVideoOut> => admin.ShowVideo({ videoId: bare(id) }),
    reindex: (): Promise<ReindexStatusOut> => admin.StartReindex({ actor: 'test', reason: 'a new mapping' }),
    reindexStatus: (): Promise<ReindexStatusOut> => admin.GetReindex({}),
    close: async (): Promise<void> => {
      await Promise.all([service, texts, described, admin].map((client) => client.close()));
    },
  };
}

/** The id without its prefix, as internal interfaces use it. */
export function bare(id: string): string {
  return id.replace(/^vid_/, '');
}
