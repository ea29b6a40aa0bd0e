// Original file: vds/indexer/v1/indexer.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { FeedReply as _vds_indexer_v1_FeedReply, FeedReplyOut as _vds_indexer_v1_FeedReplyOut } from '../../../vds/indexer/v1/FeedReply.ts';
import type { FeedRequest as _vds_indexer_v1_FeedRequest, FeedRequestOut as _vds_indexer_v1_FeedRequestOut } from '../../../vds/indexer/v1/FeedRequest.ts';
import type { ListMomentsReply as _vds_indexer_v1_ListMomentsReply, ListMomentsReplyOut as _vds_indexer_v1_ListMomentsReplyOut } from '../../../vds/indexer/v1/ListMomentsReply.ts';
import type { ListMomentsRequest as _vds_indexer_v1_ListMomentsRequest, ListMomentsRequestOut as _vds_indexer_v1_ListMomentsRequestOut } from '../../../vds/indexer/v1/ListMomentsRequest.ts';
import type { RecommendReply as _vds_indexer_v1_RecommendReply, RecommendReplyOut as _vds_indexer_v1_RecommendReplyOut } from '../../../vds/indexer/v1/RecommendReply.ts';
import type { RecommendRequest as _vds_indexer_v1_RecommendRequest, RecommendRequestOut as _vds_indexer_v1_RecommendRequestOut } from '../../../vds/indexer/v1/RecommendRequest.ts';
import type { SearchReply as _vds_indexer_v1_SearchReply, SearchReplyOut as _vds_indexer_v1_SearchReplyOut } from '../../../vds/indexer/v1/SearchReply.ts';
import type { SearchRequest as _vds_indexer_v1_SearchRequest, SearchRequestOut as _vds_indexer_v1_SearchRequestOut } from '../../../vds/indexer/v1/SearchRequest.ts';

/**
 * Discovery for the platform's apps: a video is found by all methods or by none.
 */
export interface IndexerServiceClient extends grpc.Client {
  Feed(argument: _vds_indexer_v1_FeedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  Feed(argument: _vds_indexer_v1_FeedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  Feed(argument: _vds_indexer_v1_FeedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  Feed(argument: _vds_indexer_v1_FeedRequest, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  feed(argument: _vds_indexer_v1_FeedRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  feed(argument: _vds_indexer_v1_FeedRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  feed(argument: _vds_indexer_v1_FeedRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  feed(argument: _vds_indexer_v1_FeedRequest, callback: grpc.requestCallback<_vds_indexer_v1_FeedReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Key moments of live videos, the newest and best first.
   */
  ListMoments(argument: _vds_indexer_v1_ListMomentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  ListMoments(argument: _vds_indexer_v1_ListMomentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  ListMoments(argument: _vds_indexer_v1_ListMomentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  ListMoments(argument: _vds_indexer_v1_ListMomentsRequest, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  /**
   * Key moments of live videos, the newest and best first.
   */
  listMoments(argument: _vds_indexer_v1_ListMomentsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  listMoments(argument: _vds_indexer_v1_ListMomentsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  listMoments(argument: _vds_indexer_v1_ListMomentsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  listMoments(argument: _vds_indexer_v1_ListMomentsRequest, callback: grpc.requestCallback<_vds_indexer_v1_ListMomentsReplyOut>): grpc.ClientUnaryCall;
  
  Recommend(argument: _vds_indexer_v1_RecommendRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  Recommend(argument: _vds_indexer_v1_RecommendRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  Recommend(argument: _vds_indexer_v1_RecommendRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  Recommend(argument: _vds_indexer_v1_RecommendRequest, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  recommend(argument: _vds_indexer_v1_RecommendRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  recommend(argument: _vds_indexer_v1_RecommendRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  recommend(argument: _vds_indexer_v1_RecommendRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  recommend(argument: _vds_indexer_v1_RecommendRequest, callback: grpc.requestCallback<_vds_indexer_v1_RecommendReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * INVALID_ARGUMENT for an invalid query, filter, limit or cursor.
   * Search finds by words and by meaning, in any language; by words alone while embeddings are not available.
   */
  Search(argument: _vds_indexer_v1_SearchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  Search(argument: _vds_indexer_v1_SearchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  Search(argument: _vds_indexer_v1_SearchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  Search(argument: _vds_indexer_v1_SearchRequest, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  /**
   * INVALID_ARGUMENT for an invalid query, filter, limit or cursor.
   * Search finds by words and by meaning, in any language; by words alone while embeddings are not available.
   */
  search(argument: _vds_indexer_v1_SearchRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  search(argument: _vds_indexer_v1_SearchRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  search(argument: _vds_indexer_v1_SearchRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  search(argument: _vds_indexer_v1_SearchRequest, callback: grpc.requestCallback<_vds_indexer_v1_SearchReplyOut>): grpc.ClientUnaryCall;
  
}

/**
 * Discovery for the platform's apps: a video is found by all methods or by none.
 */
export interface IndexerServiceHandlers extends grpc.UntypedServiceImplementation {
  Feed: grpc.handleUnaryCall<_vds_indexer_v1_FeedRequestOut, _vds_indexer_v1_FeedReply>;
  
  /**
   * Key moments of live videos, the newest and best first.
   */
  ListMoments: grpc.handleUnaryCall<_vds_indexer_v1_ListMomentsRequestOut, _vds_indexer_v1_ListMomentsReply>;
  
  Recommend: grpc.handleUnaryCall<_vds_indexer_v1_RecommendRequestOut, _vds_indexer_v1_RecommendReply>;
  
  /**
   * INVALID_ARGUMENT for an invalid query, filter, limit or cursor.
   * Search finds by words and by meaning, in any language; by words alone while embeddings are not available.
   */
  Search: grpc.handleUnaryCall<_vds_indexer_v1_SearchRequestOut, _vds_indexer_v1_SearchReply>;
  
}

export interface IndexerServiceDefinition extends grpc.ServiceDefinition {
  Feed: MethodDefinition<_vds_indexer_v1_FeedRequest, _vds_indexer_v1_FeedReply, _vds_indexer_v1_FeedRequestOut, _vds_indexer_v1_FeedReplyOut>
  ListMoments: MethodDefinition<_vds_indexer_v1_ListMomentsRequest, _vds_indexer_v1_ListMomentsReply, _vds_indexer_v1_ListMomentsRequestOut, _vds_indexer_v1_ListMomentsReplyOut>
  Recommend: MethodDefinition<_vds_indexer_v1_RecommendRequest, _vds_indexer_v1_RecommendReply, _vds_indexer_v1_RecommendRequestOut, _vds_indexer_v1_RecommendReplyOut>
  Search: MethodDefinition<_vds_indexer_v1_SearchRequest, _vds_indexer_v1_SearchReply, _vds_indexer_v1_SearchRequestOut, _vds_indexer_v1_SearchReplyOut>
}
