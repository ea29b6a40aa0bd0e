import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { CaptionCue as _vds_captions_v1_CaptionCue, CaptionCueOut as _vds_captions_v1_CaptionCueOut } from './vds/captions/v1/CaptionCue.ts';
import type { CaptionsAdminClient as _vds_captions_v1_CaptionsAdminClient, CaptionsAdminDefinition as _vds_captions_v1_CaptionsAdminDefinition } from './vds/captions/v1/CaptionsAdmin.ts';
import type { CaptionsServiceClient as _vds_captions_v1_CaptionsServiceClient, CaptionsServiceDefinition as _vds_captions_v1_CaptionsServiceDefinition } from './vds/captions/v1/CaptionsService.ts';
import type { CorrectTrackRequest as _vds_captions_v1_CorrectTrackRequest, CorrectTrackRequestOut as _vds_captions_v1_CorrectTrackRequestOut } from './vds/captions/v1/CorrectTrackRequest.ts';
import type { CueFix as _vds_captions_v1_CueFix, CueFixOut as _vds_captions_v1_CueFixOut } from './vds/captions/v1/CueFix.ts';
import type { GetTracksRequest as _vds_captions_v1_GetTracksRequest, GetTracksRequestOut as _vds_captions_v1_GetTracksRequestOut } from './vds/captions/v1/GetTracksRequest.ts';
import type { GetTranscriptRequest as _vds_captions_v1_GetTranscriptRequest, GetTranscriptRequestOut as _vds_captions_v1_GetTranscriptRequestOut } from './vds/captions/v1/GetTranscriptRequest.ts';
import type { Languages as _vds_captions_v1_Languages, LanguagesOut as _vds_captions_v1_LanguagesOut } from './vds/captions/v1/Languages.ts';
import type { ListLanguagesRequest as _vds_captions_v1_ListLanguagesRequest, ListLanguagesRequestOut as _vds_captions_v1_ListLanguagesRequestOut } from './vds/captions/v1/ListLanguagesRequest.ts';
import type { ReadTrackRequest as _vds_captions_v1_ReadTrackRequest, ReadTrackRequestOut as _vds_captions_v1_ReadTrackRequestOut } from './vds/captions/v1/ReadTrackRequest.ts';
import type { RerunTracksRequest as _vds_captions_v1_RerunTracksRequest, RerunTracksRequestOut as _vds_captions_v1_RerunTracksRequestOut } from './vds/captions/v1/RerunTracksRequest.ts';
import type { Route as _vds_captions_v1_Route, RouteOut as _vds_captions_v1_RouteOut } from './vds/captions/v1/Route.ts';
import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from './vds/captions/v1/Track.ts';
import type { TrackCues as _vds_captions_v1_TrackCues, TrackCuesOut as _vds_captions_v1_TrackCuesOut } from './vds/captions/v1/TrackCues.ts';
import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from './vds/captions/v1/TrackState.ts';
import type { Tracks as _vds_captions_v1_Tracks, TracksOut as _vds_captions_v1_TracksOut } from './vds/captions/v1/Tracks.ts';
import type { Transcript as _vds_captions_v1_Transcript, TranscriptOut as _vds_captions_v1_TranscriptOut } from './vds/captions/v1/Transcript.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    captions: {
      v1: {
        CaptionCue: MessageTypeDefinition<_vds_captions_v1_CaptionCue, _vds_captions_v1_CaptionCueOut>
        /**
         * Operator commands; served on the admin port only.
         */
        CaptionsAdmin: SubtypeConstructor<typeof grpc.Client, _vds_captions_v1_CaptionsAdminClient> & { service: _vds_captions_v1_CaptionsAdminDefinition }
        /**
         * Served on the admin port too.
         */
        CaptionsService: SubtypeConstructor<typeof grpc.Client, _vds_captions_v1_CaptionsServiceClient> & { service: _vds_captions_v1_CaptionsServiceDefinition }
        CorrectTrackRequest: MessageTypeDefinition<_vds_captions_v1_CorrectTrackRequest, _vds_captions_v1_CorrectTrackRequestOut>
        CueFix: MessageTypeDefinition<_vds_captions_v1_CueFix, _vds_captions_v1_CueFixOut>
        GetTracksRequest: MessageTypeDefinition<_vds_captions_v1_GetTracksRequest, _vds_captions_v1_GetTracksRequestOut>
        GetTranscriptRequest: MessageTypeDefinition<_vds_captions_v1_GetTranscriptRequest, _vds_captions_v1_GetTranscriptRequestOut>
        Languages: MessageTypeDefinition<_vds_captions_v1_Languages, _vds_captions_v1_LanguagesOut>
        ListLanguagesRequest: MessageTypeDefinition<_vds_captions_v1_ListLanguagesRequest, _vds_captions_v1_ListLanguagesRequestOut>
        ReadTrackRequest: MessageTypeDefinition<_vds_captions_v1_ReadTrackRequest, _vds_captions_v1_ReadTrackRequestOut>
        RerunTracksRequest: MessageTypeDefinition<_vds_captions_v1_RerunTracksRequest, _vds_captions_v1_RerunTracksRequestOut>
        Route: MessageTypeDefinition<_vds_captions_v1_Route, _vds_captions_v1_RouteOut>
        Track: MessageTypeDefinition<_vds_captions_v1_Track, _vds_captions_v1_TrackOut>
        TrackCues: MessageTypeDefinition<_vds_captions_v1_TrackCues, _vds_captions_v1_TrackCuesOut>
        TrackState: MessageTypeDefinition<_vds_captions_v1_TrackState, _vds_captions_v1_TrackStateOut>
        Tracks: MessageTypeDefinition<_vds_captions_v1_Tracks, _vds_captions_v1_TracksOut>
        Transcript: MessageTypeDefinition<_vds_captions_v1_Transcript, _vds_captions_v1_TranscriptOut>
      }
    }
  }
}

