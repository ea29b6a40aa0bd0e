// Original file: vds/captions/v1/captions.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CorrectTrackRequest as _vds_captions_v1_CorrectTrackRequest, CorrectTrackRequestOut as _vds_captions_v1_CorrectTrackRequestOut } from '../../../vds/captions/v1/CorrectTrackRequest.ts';
import type { Languages as _vds_captions_v1_Languages, LanguagesOut as _vds_captions_v1_LanguagesOut } from '../../../vds/captions/v1/Languages.ts';
import type { ListLanguagesRequest as _vds_captions_v1_ListLanguagesRequest, ListLanguagesRequestOut as _vds_captions_v1_ListLanguagesRequestOut } from '../../../vds/captions/v1/ListLanguagesRequest.ts';
import type { ReadTrackRequest as _vds_captions_v1_ReadTrackRequest, ReadTrackRequestOut as _vds_captions_v1_ReadTrackRequestOut } from '../../../vds/captions/v1/ReadTrackRequest.ts';
import type { RerunTracksRequest as _vds_captions_v1_RerunTracksRequest, RerunTracksRequestOut as _vds_captions_v1_RerunTracksRequestOut } from '../../../vds/captions/v1/RerunTracksRequest.ts';
import type { TrackCues as _vds_captions_v1_TrackCues, TrackCuesOut as _vds_captions_v1_TrackCuesOut } from '../../../vds/captions/v1/TrackCues.ts';
import type { Tracks as _vds_captions_v1_Tracks, TracksOut as _vds_captions_v1_TracksOut } from '../../../vds/captions/v1/Tracks.ts';

/**
 * Operator commands; served on the admin port only.
 */
export interface CaptionsAdminClient extends grpc.Client {
  /**
   * Replaces a track, or the text of one of its cues. A corrected track is never made again by itself; one in the spoken
   * language is translated again into every language that was neither corrected nor provided.
   */
  CorrectTrack(argument: _vds_captions_v1_CorrectTrackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  CorrectTrack(argument: _vds_captions_v1_CorrectTrackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  CorrectTrack(argument: _vds_captions_v1_CorrectTrackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  CorrectTrack(argument: _vds_captions_v1_CorrectTrackRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  /**
   * Replaces a track, or the text of one of its cues. A corrected track is never made again by itself; one in the spoken
   * language is translated again into every language that was neither corrected nor provided.
   */
  correctTrack(argument: _vds_captions_v1_CorrectTrackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  correctTrack(argument: _vds_captions_v1_CorrectTrackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  correctTrack(argument: _vds_captions_v1_CorrectTrackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  correctTrack(argument: _vds_captions_v1_CorrectTrackRequest, callback: grpc.requestCallback<_vds_captions_v1_TracksOut>): grpc.ClientUnaryCall;
  
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
   * The cues of a ready track as viewers have them. FAILED_PRECONDITION for one that is not ready.
   */
  ReadTrack(argument: _vds_captions_v1_ReadTrackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  ReadTrack(argument: _vds_captions_v1_ReadTrackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  ReadTrack(argument: _vds_captions_v1_ReadTrackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  ReadTrack(argument: _vds_captions_v1_ReadTrackRequest, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  /**
   * The cues of a ready track as viewers have them. FAILED_PRECONDITION for one that is not ready.
   */
  readTrack(argument: _vds_captions_v1_ReadTrackRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  readTrack(argument: _vds_captions_v1_ReadTrackRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  readTrack(argument: _vds_captions_v1_ReadTrackRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  readTrack(argument: _vds_captions_v1_ReadTrackRequest, callback: grpc.requestCallback<_vds_captions_v1_TrackCuesOut>): grpc.ClientUnaryCall;
  
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
   * Replaces a track, or the text of one of its cues. A corrected track is never made again by itself; one in the spoken
   * language is translated again into every language that was neither corrected nor provided.
   */
  CorrectTrack: grpc.handleUnaryCall<_vds_captions_v1_CorrectTrackRequestOut, _vds_captions_v1_Tracks>;
  
  /**
   * What the engines support now: source × target, with the shortest path of translations; where there is none, through
   * English, if the speech engine makes it of the sound.
   */
  ListLanguages: grpc.handleUnaryCall<_vds_captions_v1_ListLanguagesRequestOut, _vds_captions_v1_Languages>;
  
  /**
   * The cues of a ready track as viewers have them. FAILED_PRECONDITION for one that is not ready.
   */
  ReadTrack: grpc.handleUnaryCall<_vds_captions_v1_ReadTrackRequestOut, _vds_captions_v1_TrackCues>;
  
  /**
   * Makes failed and skipped tracks again with what the engines support now; the video stays live meanwhile.
   */
  RerunTracks: grpc.handleUnaryCall<_vds_captions_v1_RerunTracksRequestOut, _vds_captions_v1_Tracks>;
  
}

export interface CaptionsAdminDefinition extends grpc.ServiceDefinition {
  CorrectTrack: MethodDefinition<_vds_captions_v1_CorrectTrackRequest, _vds_captions_v1_Tracks, _vds_captions_v1_CorrectTrackRequestOut, _vds_captions_v1_TracksOut>
  ListLanguages: MethodDefinition<_vds_captions_v1_ListLanguagesRequest, _vds_captions_v1_Languages, _vds_captions_v1_ListLanguagesRequestOut, _vds_captions_v1_LanguagesOut>
  ReadTrack: MethodDefinition<_vds_captions_v1_ReadTrackRequest, _vds_captions_v1_TrackCues, _vds_captions_v1_ReadTrackRequestOut, _vds_captions_v1_TrackCuesOut>
  RerunTracks: MethodDefinition<_vds_captions_v1_RerunTracksRequest, _vds_captions_v1_Tracks, _vds_captions_v1_RerunTracksRequestOut, _vds_captions_v1_TracksOut>
}
