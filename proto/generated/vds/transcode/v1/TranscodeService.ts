// Original file: vds/transcode/v1/transcode.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetLadderRequest as _vds_transcode_v1_GetLadderRequest, GetLadderRequestOut as _vds_transcode_v1_GetLadderRequestOut } from '../../../vds/transcode/v1/GetLadderRequest.ts';
import type { GetPreviewRequest as _vds_transcode_v1_GetPreviewRequest, GetPreviewRequestOut as _vds_transcode_v1_GetPreviewRequestOut } from '../../../vds/transcode/v1/GetPreviewRequest.ts';
import type { Ladder as _vds_transcode_v1_Ladder, LadderOut as _vds_transcode_v1_LadderOut } from '../../../vds/transcode/v1/Ladder.ts';
import type { Preview as _vds_transcode_v1_Preview, PreviewOut as _vds_transcode_v1_PreviewOut } from '../../../vds/transcode/v1/Preview.ts';

export interface TranscodeServiceClient extends grpc.Client {
  /**
   * The finished ladder of a video, for the operator. NOT_FOUND before encode has completed and after a purge.
   */
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  /**
   * The finished ladder of a video, for the operator. NOT_FOUND before encode has completed and after a purge.
   */
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff and apps. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  GetPreview(argument: _vds_transcode_v1_GetPreviewRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  GetPreview(argument: _vds_transcode_v1_GetPreviewRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  GetPreview(argument: _vds_transcode_v1_GetPreviewRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  GetPreview(argument: _vds_transcode_v1_GetPreviewRequest, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff and apps. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  getPreview(argument: _vds_transcode_v1_GetPreviewRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  getPreview(argument: _vds_transcode_v1_GetPreviewRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  getPreview(argument: _vds_transcode_v1_GetPreviewRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  getPreview(argument: _vds_transcode_v1_GetPreviewRequest, callback: grpc.requestCallback<_vds_transcode_v1_PreviewOut>): grpc.ClientUnaryCall;
  
}

export interface TranscodeServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * The finished ladder of a video, for the operator. NOT_FOUND before encode has completed and after a purge.
   */
  GetLadder: grpc.handleUnaryCall<_vds_transcode_v1_GetLadderRequestOut, _vds_transcode_v1_Ladder>;
  
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff and apps. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  GetPreview: grpc.handleUnaryCall<_vds_transcode_v1_GetPreviewRequestOut, _vds_transcode_v1_Preview>;
  
}

export interface TranscodeServiceDefinition extends grpc.ServiceDefinition {
  GetLadder: MethodDefinition<_vds_transcode_v1_GetLadderRequest, _vds_transcode_v1_Ladder, _vds_transcode_v1_GetLadderRequestOut, _vds_transcode_v1_LadderOut>
  GetPreview: MethodDefinition<_vds_transcode_v1_GetPreviewRequest, _vds_transcode_v1_Preview, _vds_transcode_v1_GetPreviewRequestOut, _vds_transcode_v1_PreviewOut>
}
