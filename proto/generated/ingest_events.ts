import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { FetchCompleted as _vds_ingest_v1_FetchCompleted, FetchCompletedOut as _vds_ingest_v1_FetchCompletedOut } from './vds/ingest/v1/FetchCompleted.ts';
import type { FetchRequested as _vds_ingest_v1_FetchRequested, FetchRequestedOut as _vds_ingest_v1_FetchRequestedOut } from './vds/ingest/v1/FetchRequested.ts';
import type { HeadStored as _vds_ingest_v1_HeadStored, HeadStoredOut as _vds_ingest_v1_HeadStoredOut } from './vds/ingest/v1/HeadStored.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    ingest: {
      v1: {
        FetchCompleted: MessageTypeDefinition<_vds_ingest_v1_FetchCompleted, _vds_ingest_v1_FetchCompletedOut>
        FetchRequested: MessageTypeDefinition<_vds_ingest_v1_FetchRequested, _vds_ingest_v1_FetchRequestedOut>
        HeadStored: MessageTypeDefinition<_vds_ingest_v1_HeadStored, _vds_ingest_v1_HeadStoredOut>
      }
    }
  }
}

