// Original file: vds/common/v1/dead_letter_admin.proto

import type { Long } from '@grpc/proto-loader';

export interface ShowDeadLetterRequest {
  'sequence'?: (number | string | Long);
}

export interface ShowDeadLetterRequestOut {
  'sequence': (number);
}
