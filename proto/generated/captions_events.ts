import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { CaptionsCompleted as _vds_captions_v1_CaptionsCompleted, CaptionsCompletedOut as _vds_captions_v1_CaptionsCompletedOut } from './vds/captions/v1/CaptionsCompleted.ts';
import type { CaptionsRequested as _vds_captions_v1_CaptionsRequested, CaptionsRequestedOut as _vds_captions_v1_CaptionsRequestedOut } from './vds/captions/v1/CaptionsRequested.ts';
import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from './vds/captions/v1/Track.ts';
import type { TrackCorrected as _vds_captions_v1_TrackCorrected, TrackCorrectedOut as _vds_captions_v1_TrackCorrectedOut } from './vds/captions/v1/TrackCorrected.ts';
import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from './vds/captions/v1/TrackState.ts';
import type { TracksChanged as _vds_captions_v1_TracksChanged, TracksChangedOut as _vds_captions_v1_TracksChangedOut } from './vds/captions/v1/TracksChanged.ts';
import type { SourceWarning as _vds_common_v1_SourceWarning, SourceWarningOut as _vds_common_v1_SourceWarningOut } from './vds/common/v1/SourceWarning.ts';
import type { StageFailed as _vds_common_v1_StageFailed, StageFailedOut as _vds_common_v1_StageFailedOut } from './vds/common/v1/StageFailed.ts';
import type { StageProgressed as _vds_common_v1_StageProgressed, StageProgressedOut as _vds_common_v1_StageProgressedOut } from './vds/common/v1/StageProgressed.ts';
import type { StageStarted as _vds_common_v1_StageStarted, StageStartedOut as _vds_common_v1_StageStartedOut } from './vds/common/v1/StageStarted.ts';
import type { VideoPurged as _vds_common_v1_VideoPurged, VideoPurgedOut as _vds_common_v1_VideoPurgedOut } from './vds/common/v1/VideoPurged.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    captions: {
      v1: {
        CaptionsCompleted: MessageTypeDefinition<_vds_captions_v1_CaptionsCompleted, _vds_captions_v1_CaptionsCompletedOut>
        CaptionsRequested: MessageTypeDefinition<_vds_captions_v1_CaptionsRequested, _vds_captions_v1_CaptionsRequestedOut>
        Track: MessageTypeDefinition<_vds_captions_v1_Track, _vds_captions_v1_TrackOut>
        TrackCorrected: MessageTypeDefinition<_vds_captions_v1_TrackCorrected, _vds_captions_v1_TrackCorrectedOut>
        TrackState: MessageTypeDefinition<_vds_captions_v1_TrackState, _vds_captions_v1_TrackStateOut>
        TracksChanged: MessageTypeDefinition<_vds_captions_v1_TracksChanged, _vds_captions_v1_TracksChangedOut>
      }
    }
    common: {
      v1: {
        PurgeScope: EnumTypeDefinition
        SourceWarning: MessageTypeDefinition<_vds_common_v1_SourceWarning, _vds_common_v1_SourceWarningOut>
        StageFailed: MessageTypeDefinition<_vds_common_v1_StageFailed, _vds_common_v1_StageFailedOut>
        StageProgressed: MessageTypeDefinition<_vds_common_v1_StageProgressed, _vds_common_v1_StageProgressedOut>
        StageStarted: MessageTypeDefinition<_vds_common_v1_StageStarted, _vds_common_v1_StageStartedOut>
        VideoPurged: MessageTypeDefinition<_vds_common_v1_VideoPurged, _vds_common_v1_VideoPurgedOut>
      }
    }
  }
}

