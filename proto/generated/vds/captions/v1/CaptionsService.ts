// Original file: vds/captions/v1/captions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetTracksRequest as _vds_captions_v1_GetTracksRequest, GetTracksRequestOut as _vds_captions_v1_GetTracksRequestOut } from '../../../vds/captions/v1/GetTracksRequest.ts';
import type { Tracks as _vds_captions_v1_Tracks, TracksOut as _vds_captions_v1_TracksOut } from '../../../vds/captions/v1/Tracks.ts';

/**
 * Served on the admin port too.
 */
export interface CaptionsServiceClient extends grpc.Client {
  /**
   * Every track of a video's latest attempt. NOT_FOUND before captions were requested and after a purge.
   */
  GetTracks(argument: _vds_captions_v1_GetTracksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  GetTracks(argument: _vds_captions_v1_GetTracksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  GetTracks(argument: _vds_captions_v1_GetTracksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  GetTracks(argument: _vds_captions_v1_GetTracksRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  /**
   * Every track of a video's latest attempt. NOT_FOUND before captions were requested and after a purge.
   */
  getTracks(argument: _vds_captions_v1_GetTracksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  getTracks(argument: _vds_captions_v1_GetTracksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  getTracks(argument: _vds_captions_v1_GetTracksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  getTracks(argument: _vds_captions_v1_GetTracksRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  
}

/**
 * Served on the admin port too.
 */
export interface CaptionsServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Every track of a video's latest attempt. NOT_FOUND before captions were requested and after a purge.
   */
  GetTracks: grpc.handleUnaryCall<_vds_captions_v1_GetTracksRequestOut, _vds_captions_v1_Tracks>;
  
}

export interface CaptionsServiceDefinition extends grpc.ServiceDefinition {
  GetTracks: MethodDefinition<_vds_captions_v1_GetTracksRequest, _vds_captions_v1_Tracks, _vds_captions_v1_GetTracksRequestOut, _vds_captions_v1_TracksOut>
}
