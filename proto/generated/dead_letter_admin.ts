import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { DeadLetter as _vds_common_v1_DeadLetter, DeadLetterOut as _vds_common_v1_DeadLetterOut } from './vds/common/v1/DeadLetter.ts';
import type { DeadLetterAdminClient as _vds_common_v1_DeadLetterAdminClient, DeadLetterAdminDefinition as _vds_common_v1_DeadLetterAdminDefinition } from './vds/common/v1/DeadLetterAdmin.ts';
import type { ListDeadLettersReply as _vds_common_v1_ListDeadLettersReply, ListDeadLettersReplyOut as _vds_common_v1_ListDeadLettersReplyOut } from './vds/common/v1/ListDeadLettersReply.ts';
import type { ListDeadLettersRequest as _vds_common_v1_ListDeadLettersRequest, ListDeadLettersRequestOut as _vds_common_v1_ListDeadLettersRequestOut } from './vds/common/v1/ListDeadLettersRequest.ts';
import type { ReplayDeadLetterRequest as _vds_common_v1_ReplayDeadLetterRequest, ReplayDeadLetterRequestOut as _vds_common_v1_ReplayDeadLetterRequestOut } from './vds/common/v1/ReplayDeadLetterRequest.ts';
import type { ShowDeadLetterRequest as _vds_common_v1_ShowDeadLetterRequest, ShowDeadLetterRequestOut as _vds_common_v1_ShowDeadLetterRequestOut } from './vds/common/v1/ShowDeadLetterRequest.ts';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  vds: {
    common: {
      v1: {
        DeadLetter: MessageTypeDefinition<_vds_common_v1_DeadLetter, _vds_common_v1_DeadLetterOut>
        /**
         * Operator commands about the messages that a service has given up on. Every service that consumes events once per
         * service serves it, on its admin port only.
         */
        DeadLetterAdmin: SubtypeConstructor<typeof grpc.Client, _vds_common_v1_DeadLetterAdminClient> & { service: _vds_common_v1_DeadLetterAdminDefinition }
        ListDeadLettersReply: MessageTypeDefinition<_vds_common_v1_ListDeadLettersReply, _vds_common_v1_ListDeadLettersReplyOut>
        ListDeadLettersRequest: MessageTypeDefinition<_vds_common_v1_ListDeadLettersRequest, _vds_common_v1_ListDeadLettersRequestOut>
        ReplayDeadLetterRequest: MessageTypeDefinition<_vds_common_v1_ReplayDeadLetterRequest, _vds_common_v1_ReplayDeadLetterRequestOut>
        ShowDeadLetterRequest: MessageTypeDefinition<_vds_common_v1_ShowDeadLetterRequest, _vds_common_v1_ShowDeadLetterRequestOut>
      }
    }
  }
}

