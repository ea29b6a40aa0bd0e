import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from './vds/captions/v1/Track.ts';
import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from './vds/captions/v1/TrackState.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    captions: {
      v1: {
        Track: MessageTypeDefinition<_vds_captions_v1_Track, _vds_captions_v1_TrackOut>
        TrackState: MessageTypeDefinition<_vds_captions_v1_TrackState, _vds_captions_v1_TrackStateOut>
      }
    }
  }
}

