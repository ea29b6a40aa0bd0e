import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { KeysInUse as _vds_catalog_v1_KeysInUse, KeysInUseOut as _vds_catalog_v1_KeysInUseOut } from './vds/catalog/v1/KeysInUse.ts';
import type { PurgeRequested as _vds_catalog_v1_PurgeRequested, PurgeRequestedOut as _vds_catalog_v1_PurgeRequestedOut } from './vds/catalog/v1/PurgeRequested.ts';
import type { VideoCancelled as _vds_catalog_v1_VideoCancelled, VideoCancelledOut as _vds_catalog_v1_VideoCancelledOut } from './vds/catalog/v1/VideoCancelled.ts';
import type { VideoChanged as _vds_catalog_v1_VideoChanged, VideoChangedOut as _vds_catalog_v1_VideoChangedOut } from './vds/catalog/v1/VideoChanged.ts';
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
    catalog: {
      v1: {
        KeysInUse: MessageTypeDefinition<_vds_catalog_v1_KeysInUse, _vds_catalog_v1_KeysInUseOut>
        PurgeRequested: MessageTypeDefinition<_vds_catalog_v1_PurgeRequested, _vds_catalog_v1_PurgeRequestedOut>
        VideoCancelled: MessageTypeDefinition<_vds_catalog_v1_VideoCancelled, _vds_catalog_v1_VideoCancelledOut>
        VideoChanged: MessageTypeDefinition<_vds_catalog_v1_VideoChanged, _vds_catalog_v1_VideoChangedOut>
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

