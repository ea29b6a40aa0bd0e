// Original file: vds/indexer/v1/indexer.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetIndexStatusRequest as _vds_indexer_v1_GetIndexStatusRequest, GetIndexStatusRequestOut as _vds_indexer_v1_GetIndexStatusRequestOut } from '../../../vds/indexer/v1/GetIndexStatusRequest.ts';
import type { GetReindexRequest as _vds_indexer_v1_GetReindexRequest, GetReindexRequestOut as _vds_indexer_v1_GetReindexRequestOut } from '../../../vds/indexer/v1/GetReindexRequest.ts';
import type { IndexStatus as _vds_indexer_v1_IndexStatus, IndexStatusOut as _vds_indexer_v1_IndexStatusOut } from '../../../vds/indexer/v1/IndexStatus.ts';
import type { IndexedVideo as _vds_indexer_v1_IndexedVideo, IndexedVideoOut as _vds_indexer_v1_IndexedVideoOut } from '../../../vds/indexer/v1/IndexedVideo.ts';
import type { ListIndexedVideosReply as _vds_indexer_v1_ListIndexedVideosReply, ListIndexedVideosReplyOut as _vds_indexer_v1_ListIndexedVideosReplyOut } from '../../../vds/indexer/v1/ListIndexedVideosReply.ts';
import type { ListIndexedVideosRequest as _vds_indexer_v1_ListIndexedVideosRequest, ListIndexedVideosRequestOut as _vds_indexer_v1_ListIndexedVideosRequestOut } from '../../../vds/indexer/v1/ListIndexedVideosRequest.ts';
import type { RefreshVideoRequest as _vds_indexer_v1_RefreshVideoRequest, RefreshVideoRequestOut as _vds_indexer_v1_RefreshVideoRequestOut } from '../../../vds/indexer/v1/RefreshVideoRequest.ts';
import type { ReindexStatus as _vds_indexer_v1_ReindexStatus, ReindexStatusOut as _vds_indexer_v1_ReindexStatusOut } from '../../../vds/indexer/v1/ReindexStatus.ts';
import type { StartReindexRequest as _vds_indexer_v1_StartReindexRequest, StartReindexRequestOut as _vds_indexer_v1_StartReindexRequestOut } from '../../../vds/indexer/v1/StartReindexRequest.ts';

/**
 * The operator's commands; served on the admin port only.
 */
export interface IndexerAdminClient extends grpc.Client {
  GetIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  GetIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  GetIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  GetIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  getIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  getIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  getIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  getIndexStatus(argument: _vds_indexer_v1_GetIndexStatusRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexStatusOut>): grpc.ClientUnaryCall;
  
  GetReindex(argument: _vds_indexer_v1_GetReindexRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  GetReindex(argument: _vds_indexer_v1_GetReindexRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  GetReindex(argument: _vds_indexer_v1_GetReindexRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  GetReindex(argument: _vds_indexer_v1_GetReindexRequest, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  getReindex(argument: _vds_indexer_v1_GetReindexRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  getReindex(argument: _vds_indexer_v1_GetReindexRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  getReindex(argument: _vds_indexer_v1_GetReindexRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  getReindex(argument: _vds_indexer_v1_GetReindexRequest, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  
  /**
   * Indexed videos by rising id, or some of them; for reconciling.
   */
  ListIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  ListIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  ListIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  ListIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  /**
   * Indexed videos by rising id, or some of them; for reconciling.
   */
  listIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  listIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  listIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  listIndexedVideos(argument: _vds_indexer_v1_ListIndexedVideosRequest, callback: grpc.requestCallback<_vds_indexer_v1_ListIndexedVideosReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * Reads one video again and writes it, whatever the index has of it.
   */
  RefreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  RefreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  RefreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  RefreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  /**
   * Reads one video again and writes it, whatever the index has of it.
   */
  refreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  refreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  refreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  refreshVideo(argument: _vds_indexer_v1_RefreshVideoRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  
  /**
   * The indexed document of one video.
   */
  ShowVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_indexer_v1_RefreshVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_indexer_v1_RefreshVideoRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  /**
   * The indexed document of one video.
   */
  showVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_indexer_v1_RefreshVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_indexer_v1_RefreshVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_indexer_v1_RefreshVideoRequest, callback: grpc.requestCallback<_vds_indexer_v1_IndexedVideoOut>): grpc.ClientUnaryCall;
  
  /**
   * Fills a new index from the owners' data while both are written, then moves the alias. One at a time.
   */
  StartReindex(argument: _vds_indexer_v1_StartReindexRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  StartReindex(argument: _vds_indexer_v1_StartReindexRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  StartReindex(argument: _vds_indexer_v1_StartReindexRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  StartReindex(argument: _vds_indexer_v1_StartReindexRequest, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  /**
   * Fills a new index from the owners' data while both are written, then moves the alias. One at a time.
   */
  startReindex(argument: _vds_indexer_v1_StartReindexRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  startReindex(argument: _vds_indexer_v1_StartReindexRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  startReindex(argument: _vds_indexer_v1_StartReindexRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  startReindex(argument: _vds_indexer_v1_StartReindexRequest, callback: grpc.requestCallback<_vds_indexer_v1_ReindexStatusOut>): grpc.ClientUnaryCall;
  
}

/**
 * The operator's commands; served on the admin port only.
 */
export interface IndexerAdminHandlers extends grpc.UntypedServiceImplementation {
  GetIndexStatus: grpc.handleUnaryCall<_vds_indexer_v1_GetIndexStatusRequestOut, _vds_indexer_v1_IndexStatus>;
  
  GetReindex: grpc.handleUnaryCall<_vds_indexer_v1_GetReindexRequestOut, _vds_indexer_v1_ReindexStatus>;
  
  /**
   * Indexed videos by rising id, or some of them; for reconciling.
   */
  ListIndexedVideos: grpc.handleUnaryCall<_vds_indexer_v1_ListIndexedVideosRequestOut, _vds_indexer_v1_ListIndexedVideosReply>;
  
  /**
   * Reads one video again and writes it, whatever the index has of it.
   */
  RefreshVideo: grpc.handleUnaryCall<_vds_indexer_v1_RefreshVideoRequestOut, _vds_indexer_v1_IndexedVideo>;
  
  /**
   * The indexed document of one video.
   */
  ShowVideo: grpc.handleUnaryCall<_vds_indexer_v1_RefreshVideoRequestOut, _vds_indexer_v1_IndexedVideo>;
  
  /**
   * Fills a new index from the owners' data while both are written, then moves the alias. One at a time.
   */
  StartReindex: grpc.handleUnaryCall<_vds_indexer_v1_StartReindexRequestOut, _vds_indexer_v1_ReindexStatus>;
  
}

export interface IndexerAdminDefinition extends grpc.ServiceDefinition {
  GetIndexStatus: MethodDefinition<_vds_indexer_v1_GetIndexStatusRequest, _vds_indexer_v1_IndexStatus, _vds_indexer_v1_GetIndexStatusRequestOut, _vds_indexer_v1_IndexStatusOut>
  GetReindex: MethodDefinition<_vds_indexer_v1_GetReindexRequest, _vds_indexer_v1_ReindexStatus, _vds_indexer_v1_GetReindexRequestOut, _vds_indexer_v1_ReindexStatusOut>
  ListIndexedVideos: MethodDefinition<_vds_indexer_v1_ListIndexedVideosRequest, _vds_indexer_v1_ListIndexedVideosReply, _vds_indexer_v1_ListIndexedVideosRequestOut, _vds_indexer_v1_ListIndexedVideosReplyOut>
  RefreshVideo: MethodDefinition<_vds_indexer_v1_RefreshVideoRequest, _vds_indexer_v1_IndexedVideo, _vds_indexer_v1_RefreshVideoRequestOut, _vds_indexer_v1_IndexedVideoOut>
  ShowVideo: MethodDefinition<_vds_indexer_v1_RefreshVideoRequest, _vds_indexer_v1_IndexedVideo, _vds_indexer_v1_RefreshVideoRequestOut, _vds_indexer_v1_IndexedVideoOut>
  StartReindex: MethodDefinition<_vds_indexer_v1_StartReindexRequest, _vds_indexer_v1_ReindexStatus, _vds_indexer_v1_StartReindexRequestOut, _vds_indexer_v1_ReindexStatusOut>
}
