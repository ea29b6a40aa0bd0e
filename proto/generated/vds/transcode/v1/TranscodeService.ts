// Original file: vds/transcode/v1/transcode.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { EarlyPlayback as _vds_transcode_v1_EarlyPlayback, EarlyPlaybackOut as _vds_transcode_v1_EarlyPlaybackOut } from '../../../vds/transcode/v1/EarlyPlayback.ts';
import type { GetEarlyPlaybackRequest as _vds_transcode_v1_GetEarlyPlaybackRequest, GetEarlyPlaybackRequestOut as _vds_transcode_v1_GetEarlyPlaybackRequestOut } from '../../../vds/transcode/v1/GetEarlyPlaybackRequest.ts';
import type { GetLadderRequest as _vds_transcode_v1_GetLadderRequest, GetLadderRequestOut as _vds_transcode_v1_GetLadderRequestOut } from '../../../vds/transcode/v1/GetLadderRequest.ts';
import type { Ladder as _vds_transcode_v1_Ladder, LadderOut as _vds_transcode_v1_LadderOut } from '../../../vds/transcode/v1/Ladder.ts';

export interface TranscodeServiceClient extends grpc.Client {
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  GetEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  GetEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  GetEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  GetEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  getEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  getEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  getEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  getEarlyPlayback(argument: _vds_transcode_v1_GetEarlyPlaybackRequest, callback: grpc.requestCallback<_vds_transcode_v1_EarlyPlaybackOut>): grpc.ClientUnaryCall;
  
  /**
   * The finished ladder of a video. NOT_FOUND before encode has completed and after a purge.
   */
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  GetLadder(argument: _vds_transcode_v1_GetLadderRequest, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  /**
   * The finished ladder of a video. NOT_FOUND before encode has completed and after a purge.
   */
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  getLadder(argument: _vds_transcode_v1_GetLadderRequest, callback: grpc.requestCallback<_vds_transcode_v1_LadderOut>): grpc.ClientUnaryCall;
  
}

export interface TranscodeServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What is finished of the latest attempt, also while it is being encoded: for the operator's staff. NOT_FOUND before the
   * first piece and its sound are there, and after a purge.
   */
  GetEarlyPlayback: grpc.handleUnaryCall<_vds_transcode_v1_GetEarlyPlaybackRequestOut, _vds_transcode_v1_EarlyPlayback>;
  
  /**
   * The finished ladder of a video. NOT_FOUND before encode has completed and after a purge.
   */
  GetLadder: grpc.handleUnaryCall<_vds_transcode_v1_GetLadderRequestOut, _vds_transcode_v1_Ladder>;
  
}

export interface TranscodeServiceDefinition extends grpc.ServiceDefinition {
  GetEarlyPlayback: MethodDefinition<_vds_transcode_v1_GetEarlyPlaybackRequest, _vds_transcode_v1_EarlyPlayback, _vds_transcode_v1_GetEarlyPlaybackRequestOut, _vds_transcode_v1_EarlyPlaybackOut>
  GetLadder: MethodDefinition<_vds_transcode_v1_GetLadderRequest, _vds_transcode_v1_Ladder, _vds_transcode_v1_GetLadderRequestOut, _vds_transcode_v1_LadderOut>
}
