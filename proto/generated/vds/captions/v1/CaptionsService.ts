// Original file: vds/captions/v1/captions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetTracksRequest as _vds_captions_v1_GetTracksRequest, GetTracksRequestOut as _vds_captions_v1_GetTracksRequestOut } from '../../../vds/captions/v1/GetTracksRequest.ts';
import type { GetTranscriptRequest as _vds_captions_v1_GetTranscriptRequest, GetTranscriptRequestOut as _vds_captions_v1_GetTranscriptRequestOut } from '../../../vds/captions/v1/GetTranscriptRequest.ts';
import type { Tracks as _vds_captions_v1_Tracks, TracksOut as _vds_captions_v1_TracksOut } from '../../../vds/captions/v1/Tracks.ts';
import type { Transcript as _vds_captions_v1_Transcript, TranscriptOut as _vds_captions_v1_TranscriptOut } from '../../../vds/captions/v1/Transcript.ts';

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
  
  /**
   * For the platform's apps: what is said in a live video, as viewers read it. NOT_FOUND when it is not live.
   */
  GetTranscript(argument: _vds_captions_v1_GetTranscriptRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  GetTranscript(argument: _vds_captions_v1_GetTranscriptRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  GetTranscript(argument: _vds_captions_v1_GetTranscriptRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  GetTranscript(argument: _vds_captions_v1_GetTranscriptRequest, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  /**
   * For the platform's apps: what is said in a live video, as viewers read it. NOT_FOUND when it is not live.
   */
  getTranscript(argument: _vds_captions_v1_GetTranscriptRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  getTranscript(argument: _vds_captions_v1_GetTranscriptRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  getTranscript(argument: _vds_captions_v1_GetTranscriptRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  getTranscript(argument: _vds_captions_v1_GetTranscriptRequest, callback: grpc.requestCallback<_vds_captions_v1_TranscriptOut>): grpc.ClientUnaryCall;
  
}

/**
 * Served on the admin port too.
 */
export interface CaptionsServiceHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Every track of a video's latest attempt. NOT_FOUND before captions were requested and after a purge.
   */
  GetTracks: grpc.handleUnaryCall<_vds_captions_v1_GetTracksRequestOut, _vds_captions_v1_Tracks>;
  
  /**
   * For the platform's apps: what is said in a live video, as viewers read it. NOT_FOUND when it is not live.
   */
  GetTranscript: grpc.handleUnaryCall<_vds_captions_v1_GetTranscriptRequestOut, _vds_captions_v1_Transcript>;
  
}

export interface CaptionsServiceDefinition extends grpc.ServiceDefinition {
  GetTracks: MethodDefinition<_vds_captions_v1_GetTracksRequest, _vds_captions_v1_Tracks, _vds_captions_v1_GetTracksRequestOut, _vds_captions_v1_TracksOut>
  GetTranscript: MethodDefinition<_vds_captions_v1_GetTranscriptRequest, _vds_captions_v1_Transcript, _vds_captions_v1_GetTranscriptRequestOut, _vds_captions_v1_TranscriptOut>
}
