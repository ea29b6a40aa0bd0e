import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { ViewReported as _vds_playback_v1_ViewReported, ViewReportedOut as _vds_playback_v1_ViewReportedOut } from './vds/playback/v1/ViewReported.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    playback: {
      v1: {
        ViewReported: MessageTypeDefinition<_vds_playback_v1_ViewReported, _vds_playback_v1_ViewReportedOut>
      }
    }
  }
}

