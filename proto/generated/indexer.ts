import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { FeedReply as _vds_indexer_v1_FeedReply, FeedReplyOut as _vds_indexer_v1_FeedReplyOut } from './vds/indexer/v1/FeedReply.ts';
import type { FeedRequest as _vds_indexer_v1_FeedRequest, FeedRequestOut as _vds_indexer_v1_FeedRequestOut } from './vds/indexer/v1/FeedRequest.ts';
import type { GetIndexStatusRequest as _vds_indexer_v1_GetIndexStatusRequest, GetIndexStatusRequestOut as _vds_indexer_v1_GetIndexStatusRequestOut } from './vds/indexer/v1/GetIndexStatusRequest.ts';
import type { GetReindexRequest as _vds_indexer_v1_GetReindexRequest, GetReindexRequestOut as _vds_indexer_v1_GetReindexRequestOut } from './vds/indexer/v1/GetReindexRequest.ts';
import type { Hit as _vds_indexer_v1_Hit, HitOut as _vds_indexer_v1_HitOut } from './vds/indexer/v1/Hit.ts';
import type { IndexStatus as _vds_indexer_v1_IndexStatus, IndexStatusOut as _vds_indexer_v1_IndexStatusOut } from './vds/indexer/v1/IndexStatus.ts';
import type { IndexedVersion as _vds_indexer_v1_IndexedVersion, IndexedVersionOut as _vds_indexer_v1_IndexedVersionOut } from './vds/indexer/v1/IndexedVersion.ts';
import type { IndexedVideo as _vds_indexer_v1_IndexedVideo, IndexedVideoOut as _vds_indexer_v1_IndexedVideoOut } from './vds/indexer/v1/IndexedVideo.ts';
import type { IndexerAdminClient as _vds_indexer_v1_IndexerAdminClient, IndexerAdminDefinition as _vds_indexer_v1_IndexerAdminDefinition } from './vds/indexer/v1/IndexerAdmin.ts';
import type { IndexerServiceClient as _vds_indexer_v1_IndexerServiceClient, IndexerServiceDefinition as _vds_indexer_v1_IndexerServiceDefinition } from './vds/indexer/v1/IndexerService.ts';
import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from './vds/indexer/v1/Item.ts';
import type { ListIndexedVideosReply as _vds_indexer_v1_ListIndexedVideosReply, ListIndexedVideosReplyOut as _vds_indexer_v1_ListIndexedVideosReplyOut } from './vds/indexer/v1/ListIndexedVideosReply.ts';
import type { ListIndexedVideosRequest as _vds_indexer_v1_ListIndexedVideosRequest, ListIndexedVideosRequestOut as _vds_indexer_v1_ListIndexedVideosRequestOut } from './vds/indexer/v1/ListIndexedVideosRequest.ts';
import type { ListMomentsReply as _vds_indexer_v1_ListMomentsReply, ListMomentsReplyOut as _vds_indexer_v1_ListMomentsReplyOut } from './vds/indexer/v1/ListMomentsReply.ts';
import type { ListMomentsRequest as _vds_indexer_v1_ListMomentsRequest, ListMomentsRequestOut as _vds_indexer_v1_ListMomentsRequestOut } from './vds/indexer/v1/ListMomentsRequest.ts';
import type { Mark as _vds_indexer_v1_Mark, MarkOut as _vds_indexer_v1_MarkOut } from './vds/indexer/v1/Mark.ts';
import type { Moment as _vds_indexer_v1_Moment, MomentOut as _vds_indexer_v1_MomentOut } from './vds/indexer/v1/Moment.ts';
import type { Reason as _vds_indexer_v1_Reason, ReasonOut as _vds_indexer_v1_ReasonOut } from './vds/indexer/v1/Reason.ts';
import type { RecommendReply as _vds_indexer_v1_RecommendReply, RecommendReplyOut as _vds_indexer_v1_RecommendReplyOut } from './vds/indexer/v1/RecommendReply.ts';
import type { RecommendRequest as _vds_indexer_v1_RecommendRequest, RecommendRequestOut as _vds_indexer_v1_RecommendRequestOut } from './vds/indexer/v1/RecommendRequest.ts';
import type { RefreshVideoRequest as _vds_indexer_v1_RefreshVideoRequest, RefreshVideoRequestOut as _vds_indexer_v1_RefreshVideoRequestOut } from './vds/indexer/v1/RefreshVideoRequest.ts';
import type { ReindexStatus as _vds_indexer_v1_ReindexStatus, ReindexStatusOut as _vds_indexer_v1_ReindexStatusOut } from './vds/indexer/v1/ReindexStatus.ts';
import type { SearchReply as _vds_indexer_v1_SearchReply, SearchReplyOut as _vds_indexer_v1_SearchReplyOut } from './vds/indexer/v1/SearchReply.ts';
import type { SearchRequest as _vds_indexer_v1_SearchRequest, SearchRequestOut as _vds_indexer_v1_SearchRequestOut } from './vds/indexer/v1/SearchRequest.ts';
import type { Snippet as _vds_indexer_v1_Snippet, SnippetOut as _vds_indexer_v1_SnippetOut } from './vds/indexer/v1/Snippet.ts';
import type { StartReindexRequest as _vds_indexer_v1_StartReindexRequest, StartReindexRequestOut as _vds_indexer_v1_StartReindexRequestOut } from './vds/indexer/v1/StartReindexRequest.ts';
import type { Watched as _vds_indexer_v1_Watched, WatchedOut as _vds_indexer_v1_WatchedOut } from './vds/indexer/v1/Watched.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    indexer: {
      v1: {
        FeedReply: MessageTypeDefinition<_vds_indexer_v1_FeedReply, _vds_indexer_v1_FeedReplyOut>
        FeedRequest: MessageTypeDefinition<_vds_indexer_v1_FeedRequest, _vds_indexer_v1_FeedRequestOut>
        GetIndexStatusRequest: MessageTypeDefinition<_vds_indexer_v1_GetIndexStatusRequest, _vds_indexer_v1_GetIndexStatusRequestOut>
        GetReindexRequest: MessageTypeDefinition<_vds_indexer_v1_GetReindexRequest, _vds_indexer_v1_GetReindexRequestOut>
        Hit: MessageTypeDefinition<_vds_indexer_v1_Hit, _vds_indexer_v1_HitOut>
        IndexStatus: MessageTypeDefinition<_vds_indexer_v1_IndexStatus, _vds_indexer_v1_IndexStatusOut>
        IndexedVersion: MessageTypeDefinition<_vds_indexer_v1_IndexedVersion, _vds_indexer_v1_IndexedVersionOut>
        IndexedVideo: MessageTypeDefinition<_vds_indexer_v1_IndexedVideo, _vds_indexer_v1_IndexedVideoOut>
        /**
         * The operator's commands; served on the admin port only.
         */
        IndexerAdmin: SubtypeConstructor<typeof grpc.Client, _vds_indexer_v1_IndexerAdminClient> & { service: _vds_indexer_v1_IndexerAdminDefinition }
        /**
         * Discovery for the platform's apps: a video is found by all methods or by none.
         */
        IndexerService: SubtypeConstructor<typeof grpc.Client, _vds_indexer_v1_IndexerServiceClient> & { service: _vds_indexer_v1_IndexerServiceDefinition }
        Item: MessageTypeDefinition<_vds_indexer_v1_Item, _vds_indexer_v1_ItemOut>
        ListIndexedVideosReply: MessageTypeDefinition<_vds_indexer_v1_ListIndexedVideosReply, _vds_indexer_v1_ListIndexedVideosReplyOut>
        ListIndexedVideosRequest: MessageTypeDefinition<_vds_indexer_v1_ListIndexedVideosRequest, _vds_indexer_v1_ListIndexedVideosRequestOut>
        ListMomentsReply: MessageTypeDefinition<_vds_indexer_v1_ListMomentsReply, _vds_indexer_v1_ListMomentsReplyOut>
        ListMomentsRequest: MessageTypeDefinition<_vds_indexer_v1_ListMomentsRequest, _vds_indexer_v1_ListMomentsRequestOut>
        Mark: MessageTypeDefinition<_vds_indexer_v1_Mark, _vds_indexer_v1_MarkOut>
        Moment: MessageTypeDefinition<_vds_indexer_v1_Moment, _vds_indexer_v1_MomentOut>
        Reason: MessageTypeDefinition<_vds_indexer_v1_Reason, _vds_indexer_v1_ReasonOut>
        RecommendReply: MessageTypeDefinition<_vds_indexer_v1_RecommendReply, _vds_indexer_v1_RecommendReplyOut>
        RecommendRequest: MessageTypeDefinition<_vds_indexer_v1_RecommendRequest, _vds_indexer_v1_RecommendRequestOut>
        RefreshVideoRequest: MessageTypeDefinition<_vds_indexer_v1_RefreshVideoRequest, _vds_indexer_v1_RefreshVideoRequestOut>
        ReindexStatus: MessageTypeDefinition<_vds_indexer_v1_ReindexStatus, _vds_indexer_v1_ReindexStatusOut>
        SearchReply: MessageTypeDefinition<_vds_indexer_v1_SearchReply, _vds_indexer_v1_SearchReplyOut>
        SearchRequest: MessageTypeDefinition<_vds_indexer_v1_SearchRequest, _vds_indexer_v1_SearchRequestOut>
        Snippet: MessageTypeDefinition<_vds_indexer_v1_Snippet, _vds_indexer_v1_SnippetOut>
        StartReindexRequest: MessageTypeDefinition<_vds_indexer_v1_StartReindexRequest, _vds_indexer_v1_StartReindexRequestOut>
        Watched: MessageTypeDefinition<_vds_indexer_v1_Watched, _vds_indexer_v1_WatchedOut>
      }
    }
  }
}

