// Original file: vds/captions/v1/captions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { Languages as _vds_captions_v1_Languages, LanguagesOut as _vds_captions_v1_LanguagesOut } from '../../../vds/captions/v1/Languages.ts';
import type { ListLanguagesRequest as _vds_captions_v1_ListLanguagesRequest, ListLanguagesRequestOut as _vds_captions_v1_ListLanguagesRequestOut } from '../../../vds/captions/v1/ListLanguagesRequest.ts';
import type { RerunTracksRequest as _vds_captions_v1_RerunTracksRequest, RerunTracksRequestOut as _vds_captions_v1_RerunTracksRequestOut } from '../../../vds/captions/v1/RerunTracksRequest.ts';
import type { Tracks as _vds_captions_v1_Tracks, TracksOut as _vds_captions_v1_TracksOut } from '../../../vds/captions/v1/Tracks.ts';

/**
 * Operator commands; served on the admin port only.
 */
export interface CaptionsAdminClient extends grpc.Client {
  /**
   * What the engines support now: source × target, with the shortest path of translations; where there is none, through
   * English, if the speech engine makes it of the sound.
   */
  ListLanguages(argument: _vds_captions_v1_ListLanguagesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  ListLanguages(argument: _vds_captions_v1_ListLanguagesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  ListLanguages(argument: _vds_captions_v1_ListLanguagesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  ListLanguages(argument: _vds_captions_v1_ListLanguagesRequest, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  /**
   * What the engines support now: source × target, with the shortest path of translations; where there is none, through
   * English, if the speech engine makes it of the sound.
   */
  listLanguages(argument: _vds_captions_v1_ListLanguagesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  listLanguages(argument: _vds_captions_v1_ListLanguagesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  listLanguages(argument: _vds_captions_v1_ListLanguagesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  listLanguages(argument: _vds_captions_v1_ListLanguagesRequest, callback: grpc.requestCallback<_vds_captions_v1_LanguagesOut>): grpc.ClientUnaryCall;
  
  /**
   * Makes failed and skipped tracks again with what the engines support now; the video stays live meanwhile.
   */
  RerunTracks(argument: _vds_captions_v1_RerunTracksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  RerunTracks(argument: _vds_captions_v1_RerunTracksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  RerunTracks(argument: _vds_captions_v1_RerunTracksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  RerunTracks(argument: _vds_captions_v1_RerunTracksRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  /**
   * Makes failed and skipped tracks again with what the engines support now; the video stays live meanwhile.
   */
  rerunTracks(argument: _vds_captions_v1_RerunTracksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  rerunTracks(argument: _vds_captions_v1_RerunTracksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  rerunTracks(argument: _vds_captions_v1_RerunTracksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  rerunTracks(argument: _vds_captions_v1_RerunTracksRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  
}

/**
 * Operator commands; served on the admin port only.
 */
export interface CaptionsAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * What the engines support now: source × target, with the shortest path of translations; where there is none, through
   * English, if the speech engine makes it of the sound.
   */
  ListLanguages: grpc.handleUnaryCall<_vds_captions_v1_ListLanguagesRequestOut, _vds_captions_v1_Languages>;
  
  /**
   * Makes failed and skipped tracks again with what the engines support now; the video stays live meanwhile.
   */
  RerunTracks: grpc.handleUnaryCall<_vds_captions_v1_RerunTracksRequestOut, _vds_captions_v1_Tracks>;
  
}

export interface CaptionsAdminDefinition extends grpc.ServiceDefinition {
  ListLanguages: MethodDefinition<_vds_captions_v1_ListLanguagesRequest, _vds_captions_v1_Languages, _vds_captions_v1_ListLanguagesRequestOut, _vds_captions_v1_LanguagesOut>
  RerunTracks: MethodDefinition<_vds_captions_v1_RerunTracksRequest, _vds_captions_v1_Tracks, _vds_captions_v1_RerunTracksRequestOut, _vds_captions_v1_TracksOut>
}
