/** The index and its queries in this process, as main.ts composes them, filled by the test itself. */
import type { ClipOut } from '@vds/proto/generated/vds/catalog/v1/Clip.ts';
import type { FeedReplyOut } from '@vds/proto/generated/vds/indexer/v1/FeedReply.ts';
import type { KeyMoment } from '@vds/proto/generated/vds/metadata/v1/KeyMoment.ts';
import type { ListMomentsReplyOut } from '@vds/proto/generated/vds/indexer/v1/ListMomentsReply.ts';
import type { FeedRequestOut } from '@vds/proto/generated/vds/indexer/v1/FeedRequest.ts';
import type { RecommendReplyOut } from '@vds/proto/generated/vds/indexer/v1/RecommendReply.ts';
import type { RecommendRequestOut } from '@vds/proto/generated/vds/indexer/v1/RecommendRequest.ts';
import type { SearchReplyOut } from '@vds/proto/generated/vds/indexer/v1/SearchReply.ts';
import type { SearchRequestOut } from '@vds/proto/generated/vds/indexer/v1/SearchRequest.ts';
import type { MetadataOut } from '@vds/proto/generated/vds/metadata/v1/Metadata.ts';
import type { Embedder } from '@vds/chassis/embeddings/embedder';
import { createLogger } from '@vds/chassis/telemetry/log';
import { createMetrics } from '@vds/chassis/telemetry/metrics';
import { documentOf, tombstone, type Transcript } from '../src/domain/document.ts';
import { indexerRpc } from '../src/inbound/rpc.ts';
import { openDiscovery, type DiscoveryConfig } from '../src/outbound/discovery.ts';
import { openDocuments } from '../src/outbound/documents.ts';
import { openIndexes } from '../src/outbound/indexes.ts';
import { openSearch } from '../src/outbound/open-search.ts';
import { openWatched } from '../src/outbound/watched.ts';
import { openPrefix } from './harness.ts';
import { metadataFor, type Line, type TestClip } from './videos.ts';

export type IndexedClip = {
  readonly clip: TestClip;
  readonly spoken?: Readonly<Record<string, readonly Line[]>>;
  readonly screen?: readonly Line[];
  readonly topics?: readonly string[];
  readonly labels?: readonly string[];
  readonly passages?: readonly { readonly atMs?: number; readonly vector: Int8Array }[];
  readonly moments?: readonly KeyMoment[];
  /** Of the passages. */
  readonly model?: string;
  readonly version?: number;
};
const page = { limit: 0, cursor: '' };
export type TestIndex = Awaited<ReturnType<typeof openTestIndex>>;

/** @param embedder makes vectors of queries; those of videos are in their metadata */
export async function openTestIndex(config: Partial<DiscoveryConfig> = {}, embedder?: Embedder, url?: string) {
  const rawIndex = openPrefix(url);
  const search = openSearch({
    openSearchUrl: rawIndex.url,
    openSearchUser: undefined,
    openSearchPassword: undefined,
    openSearchCaFile: undefined,
    openSearchTimeoutMs: 30_000,
  });
  const indexes = openIndexes(search, rawIndex.prefix, { indexReplicas: 0, indexShards: 1 }, embedder);
  await indexes.ensure();
  const metrics = createMetrics('indexer');
  const documents = openDocuments(search, indexes, metrics);
  const settings = { rpcToken: 'secret', cursorKeepMs: 60_000, feedHalfLifeMs: 3 * 86_400_000, ...config };
  const log = createLogger('indexer', 'error', { write: () => {} });
  const watched = openWatched({
    ...{ search, videos: indexes.serving, log },
    config: { indexPrefix: rawIndex.prefix, indexReplicas: 0, watchedKeepMs: 86_400_000 },
  });
  const discovery = openDiscovery({
    ...{ search, watched, embedder, metrics, log },
    ...{ alias: indexes.serving, config: settings },
  });
  const { methods } = indexerRpc(discovery, metrics);
  const call = <Reply>(name: 'Search' | 'Feed' | 'Recommend' | 'ListMoments', request: object): Promise<Reply> =>
    (methods[name] as (request: object, call: object) => Promise<unknown>)(request, {}) as Promise<Reply>;
  return {
    rawIndex,
    search,
    indexes,
    documents,
    watched,
    discovery,
    metrics,
    /** The service's own methods, called in process. */
    find: (query: string, more: Partial<SearchRequestOut> = {}): Promise<SearchReplyOut> =>
      call('Search', { query, ...page, ...more }),
    feed: (request: Partial<FeedRequestOut> = {}): Promise<FeedReplyOut> =>
      call('Feed', { ...page, trending: false, ...request }),
    moments: (request: object = {}): Promise<ListMomentsReplyOut> => call('ListMoments', { ...page, ...request }),
    recommend: (
      videoIds: readonly string[],
      limit = 0,
      more: Partial<RecommendRequestOut> = {},
    ): Promise<RecommendReplyOut> => call('Recommend', { videoIds, limit, history: [], cursor: '', ...more }),
    put: (...videos: readonly IndexedClip[]): Promise<void> =>
      documents.write(videos.map(documentFor), { refresh: true }),
    hide: (videoId: string, version: number): Promise<void> =>
      documents.write([{ version, document: tombstone(videoId, new Date()) }], { refresh: true }),
    close: async (): Promise<void> => {
      await search.close();
      await rawIndex.wipe();
    },
  };
}

/** The document that indexer makes of such a video. */
export function documentFor(video: IndexedClip) {
  const { clip, spoken = {}, screen = [], topics = [], labels = [], passages = [], model = '' } = video;
  const { moments = [], version = 1 } = video;
  return {
    version,
    document: documentOf({
      indexable: { videoId: clip.videoId, version, live: true, clip: clip as ClipOut, tracks: [] },
      metadata: {
        ...metadataFor(clip.videoId, screen, topics),
        passages: passages.map(({ vector, ...rest }) => ({ ...rest, vector: Buffer.from(vector.buffer) })),
        embeddingModel: model,
        keyMoments: moments,
        labels: labels.map((name) => ({ name, source: 'transcript', confidence: 0.9, spans: [] })),
      } as unknown as MetadataOut,
      transcripts: transcriptsOf(spoken),
      now: new Date(),
    }),
  };
}

function transcriptsOf(spoken: NonNullable<IndexedClip['spoken']>): Transcript[] {
  return Object.entries(spoken).map(([language, lines]) => ({
    language,
    sentences: lines.map(([atMs, text]) => ({ atMs, text })),
  }));
}
