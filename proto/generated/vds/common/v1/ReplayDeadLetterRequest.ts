// Original file: vds/common/v1/dead_letter_admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ReplayDeadLetterRequest {
  'sequence'?: (number | string | Long);
  /**
   * Who requests it and why; both are logged.
   */
  'actor'?: (string);
  'reason'?: (string);
}

export interface ReplayDeadLetterRequestOut {
  'sequence': (number);
  /**
   * Who requests it and why; both are logged.
   */
  'actor': (string);
  'reason': (string);
}
