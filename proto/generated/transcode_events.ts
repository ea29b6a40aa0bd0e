import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { SourceWarning as _vds_common_v1_SourceWarning, SourceWarningOut as _vds_common_v1_SourceWarningOut } from './vds/common/v1/SourceWarning.ts';
import type { StageFailed as _vds_common_v1_StageFailed, StageFailedOut as _vds_common_v1_StageFailedOut } from './vds/common/v1/StageFailed.ts';
import type { StageProgressed as _vds_common_v1_StageProgressed, StageProgressedOut as _vds_common_v1_StageProgressedOut } from './vds/common/v1/StageProgressed.ts';
import type { StageStarted as _vds_common_v1_StageStarted, StageStartedOut as _vds_common_v1_StageStartedOut } from './vds/common/v1/StageStarted.ts';
import type { VideoPurged as _vds_common_v1_VideoPurged, VideoPurgedOut as _vds_common_v1_VideoPurgedOut } from './vds/common/v1/VideoPurged.ts';
import type { AudioCompleted as _vds_transcode_v1_AudioCompleted, AudioCompletedOut as _vds_transcode_v1_AudioCompletedOut } from './vds/transcode/v1/AudioCompleted.ts';
import type { EncodeCompleted as _vds_transcode_v1_EncodeCompleted, EncodeCompletedOut as _vds_transcode_v1_EncodeCompletedOut } from './vds/transcode/v1/EncodeCompleted.ts';
import type { EncodeRequested as _vds_transcode_v1_EncodeRequested, EncodeRequestedOut as _vds_transcode_v1_EncodeRequestedOut } from './vds/transcode/v1/EncodeRequested.ts';
import type { InspectCompleted as _vds_transcode_v1_InspectCompleted, InspectCompletedOut as _vds_transcode_v1_InspectCompletedOut } from './vds/transcode/v1/InspectCompleted.ts';
import type { InspectRequested as _vds_transcode_v1_InspectRequested, InspectRequestedOut as _vds_transcode_v1_InspectRequestedOut } from './vds/transcode/v1/InspectRequested.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
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
    transcode: {
      v1: {
        AudioCompleted: MessageTypeDefinition<_vds_transcode_v1_AudioCompleted, _vds_transcode_v1_AudioCompletedOut>
        EncodeCompleted: MessageTypeDefinition<_vds_transcode_v1_EncodeCompleted, _vds_transcode_v1_EncodeCompletedOut>
        EncodeRequested: MessageTypeDefinition<_vds_transcode_v1_EncodeRequested, _vds_transcode_v1_EncodeRequestedOut>
        InspectCompleted: MessageTypeDefinition<_vds_transcode_v1_InspectCompleted, _vds_transcode_v1_InspectCompletedOut>
        InspectRequested: MessageTypeDefinition<_vds_transcode_v1_InspectRequested, _vds_transcode_v1_InspectRequestedOut>
      }
    }
  }
}

