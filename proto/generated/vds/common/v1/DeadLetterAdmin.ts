// Original file: vds/common/v1/dead_letter_admin.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeadLetter as _vds_common_v1_DeadLetter, DeadLetterOut as _vds_common_v1_DeadLetterOut } from '../../../vds/common/v1/DeadLetter.ts';
import type { ListDeadLettersReply as _vds_common_v1_ListDeadLettersReply, ListDeadLettersReplyOut as _vds_common_v1_ListDeadLettersReplyOut } from '../../../vds/common/v1/ListDeadLettersReply.ts';
import type { ListDeadLettersRequest as _vds_common_v1_ListDeadLettersRequest, ListDeadLettersRequestOut as _vds_common_v1_ListDeadLettersRequestOut } from '../../../vds/common/v1/ListDeadLettersRequest.ts';
import type { ReplayDeadLetterRequest as _vds_common_v1_ReplayDeadLetterRequest, ReplayDeadLetterRequestOut as _vds_common_v1_ReplayDeadLetterRequestOut } from '../../../vds/common/v1/ReplayDeadLetterRequest.ts';
import type { ShowDeadLetterRequest as _vds_common_v1_ShowDeadLetterRequest, ShowDeadLetterRequestOut as _vds_common_v1_ShowDeadLetterRequestOut } from '../../../vds/common/v1/ShowDeadLetterRequest.ts';

/**
 * Operator commands about the messages that a service has given up on. Every service that consumes events once per
 * service serves it, on its admin port only.
 */
export interface DeadLetterAdminClient extends grpc.Client {
  /**
   * Oldest first.
   */
  ListDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  /**
   * Oldest first.
   */
  listDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _vds_common_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_vds_common_v1_ListDeadLettersReplyOut>): grpc.ClientUnaryCall;
  
  /**
   * The service handles the message again, and removes the dead letter if that succeeds. Other consumers of the event do
   * not receive it again. FAILED_PRECONDITION with the handler's error if it fails again.
   */
  ReplayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  /**
   * The service handles the message again, and removes the dead letter if that succeeds. Other consumers of the event do
   * not receive it again. FAILED_PRECONDITION with the handler's error if it fails again.
   */
  replayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _vds_common_v1_ReplayDeadLetterRequest, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  
  /**
   * With the payload. NOT_FOUND after its replay and after 30 days.
   */
  ShowDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ShowDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ShowDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  ShowDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  /**
   * With the payload. NOT_FOUND after its replay and after 30 days.
   */
  showDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  showDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  showDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  showDeadLetter(argument: _vds_common_v1_ShowDeadLetterRequest, callback: grpc.requestCallback<_vds_common_v1_DeadLetterOut>): grpc.ClientUnaryCall;
  
}

/**
 * Operator commands about the messages that a service has given up on. Every service that consumes events once per
 * service serves it, on its admin port only.
 */
export interface DeadLetterAdminHandlers extends grpc.UntypedServiceImplementation {
  /**
   * Oldest first.
   */
  ListDeadLetters: grpc.handleUnaryCall<_vds_common_v1_ListDeadLettersRequestOut, _vds_common_v1_ListDeadLettersReply>;
  
  /**
   * The service handles the message again, and removes the dead letter if that succeeds. Other consumers of the event do
   * not receive it again. FAILED_PRECONDITION with the handler's error if it fails again.
   */
  ReplayDeadLetter: grpc.handleUnaryCall<_vds_common_v1_ReplayDeadLetterRequestOut, _vds_common_v1_DeadLetter>;
  
  /**
   * With the payload. NOT_FOUND after its replay and after 30 days.
   */
  ShowDeadLetter: grpc.handleUnaryCall<_vds_common_v1_ShowDeadLetterRequestOut, _vds_common_v1_DeadLetter>;
  
}

export interface DeadLetterAdminDefinition extends grpc.ServiceDefinition {
  ListDeadLetters: MethodDefinition<_vds_common_v1_ListDeadLettersRequest, _vds_common_v1_ListDeadLettersReply, _vds_common_v1_ListDeadLettersRequestOut, _vds_common_v1_ListDeadLettersReplyOut>
  ReplayDeadLetter: MethodDefinition<_vds_common_v1_ReplayDeadLetterRequest, _vds_common_v1_DeadLetter, _vds_common_v1_ReplayDeadLetterRequestOut, _vds_common_v1_DeadLetterOut>
  ShowDeadLetter: MethodDefinition<_vds_common_v1_ShowDeadLetterRequest, _vds_common_v1_DeadLetter, _vds_common_v1_ShowDeadLetterRequestOut, _vds_common_v1_DeadLetterOut>
}
