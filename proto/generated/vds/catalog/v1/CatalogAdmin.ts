// Original file: vds/catalog/v1/catalog.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AdminVideoRequest as _vds_catalog_v1_AdminVideoRequest, AdminVideoRequestOut as _vds_catalog_v1_AdminVideoRequestOut } from '../../../vds/catalog/v1/AdminVideoRequest.ts';
import type { History as _vds_catalog_v1_History, HistoryOut as _vds_catalog_v1_HistoryOut } from '../../../vds/catalog/v1/History.ts';
import type { RepeatStageRequest as _vds_catalog_v1_RepeatStageRequest, RepeatStageRequestOut as _vds_catalog_v1_RepeatStageRequestOut } from '../../../vds/catalog/v1/RepeatStageRequest.ts';
import type { VideoDetails as _vds_catalog_v1_VideoDetails, VideoDetailsOut as _vds_catalog_v1_VideoDetailsOut } from '../../../vds/catalog/v1/VideoDetails.ts';

/**
 * Verbs of the operator's staff; served on the admin port only.
 */
export interface CatalogAdminClient extends grpc.Client {
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  GetHistory(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  getHistory(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_HistoryOut>): grpc.ClientUnaryCall;
  
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  HoldVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  holdVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ReleaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  releaseVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RemoveVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  removeVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * Asks for a stage that the video can do without once more, in the same attempt: with engines that are better now.
   */
  RepeatStage(argument: _vds_catalog_v1_RepeatStageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RepeatStage(argument: _vds_catalog_v1_RepeatStageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RepeatStage(argument: _vds_catalog_v1_RepeatStageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RepeatStage(argument: _vds_catalog_v1_RepeatStageRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  /**
   * Asks for a stage that the video can do without once more, in the same attempt: with engines that are better now.
   */
  repeatStage(argument: _vds_catalog_v1_RepeatStageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  repeatStage(argument: _vds_catalog_v1_RepeatStageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  repeatStage(argument: _vds_catalog_v1_RepeatStageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  repeatStage(argument: _vds_catalog_v1_RepeatStageRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  /**
   * Starts a failed video again as a new attempt.
   */
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  RetryVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  /**
   * Starts a failed video again as a new attempt.
   */
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  retryVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  ShowVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  showVideo(argument: _vds_catalog_v1_AdminVideoRequest, callback: grpc.requestCallback<_vds_catalog_v1_VideoDetailsOut>): grpc.ClientUnaryCall;
  
}

/**
 * Verbs of the operator's staff; served on the admin port only.
 */
export interface CatalogAdminHandlers extends grpc.UntypedServiceImplementation {
  GetHistory: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_History>;
  
  HoldVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  ReleaseVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  RemoveVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * Asks for a stage that the video can do without once more, in the same attempt: with engines that are better now.
   */
  RepeatStage: grpc.handleUnaryCall<_vds_catalog_v1_RepeatStageRequestOut, _vds_catalog_v1_VideoDetails>;
  
  /**
   * Starts a failed video again as a new attempt.
   */
  RetryVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
  ShowVideo: grpc.handleUnaryCall<_vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetails>;
  
}

export interface CatalogAdminDefinition extends grpc.ServiceDefinition {
  GetHistory: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_History, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_HistoryOut>
  HoldVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  ReleaseVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RemoveVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RepeatStage: MethodDefinition<_vds_catalog_v1_RepeatStageRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_RepeatStageRequestOut, _vds_catalog_v1_VideoDetailsOut>
  RetryVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
  ShowVideo: MethodDefinition<_vds_catalog_v1_AdminVideoRequest, _vds_catalog_v1_VideoDetails, _vds_catalog_v1_AdminVideoRequestOut, _vds_catalog_v1_VideoDetailsOut>
}
