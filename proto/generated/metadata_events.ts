import type * as grpc from '@grpc/grpc-js';
import type { EnumTypeDefinition, MessageTypeDefinition } from '@grpc/proto-loader';

import type { SourceWarning as _vds_common_v1_SourceWarning, SourceWarningOut as _vds_common_v1_SourceWarningOut } from './vds/common/v1/SourceWarning.ts';
import type { StageFailed as _vds_common_v1_StageFailed, StageFailedOut as _vds_common_v1_StageFailedOut } from './vds/common/v1/StageFailed.ts';
import type { StageProgressed as _vds_common_v1_StageProgressed, StageProgressedOut as _vds_common_v1_StageProgressedOut } from './vds/common/v1/StageProgressed.ts';
import type { StageStarted as _vds_common_v1_StageStarted, StageStartedOut as _vds_common_v1_StageStartedOut } from './vds/common/v1/StageStarted.ts';
import type { VideoPurged as _vds_common_v1_VideoPurged, VideoPurgedOut as _vds_common_v1_VideoPurgedOut } from './vds/common/v1/VideoPurged.ts';
import type { MetadataCompleted as _vds_metadata_v1_MetadataCompleted, MetadataCompletedOut as _vds_metadata_v1_MetadataCompletedOut } from './vds/metadata/v1/MetadataCompleted.ts';
import type { MetadataRequested as _vds_metadata_v1_MetadataRequested, MetadataRequestedOut as _vds_metadata_v1_MetadataRequestedOut } from './vds/metadata/v1/MetadataRequested.ts';

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
    metadata: {
      v1: {
        MetadataCompleted: MessageTypeDefinition<_vds_metadata_v1_MetadataCompleted, _vds_metadata_v1_MetadataCompletedOut>
        MetadataRequested: MessageTypeDefinition<_vds_metadata_v1_MetadataRequested, _vds_metadata_v1_MetadataRequestedOut>
      }
    }
  }
}

