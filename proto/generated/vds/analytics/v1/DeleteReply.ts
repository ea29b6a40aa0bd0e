// Original file: vds/analytics/v1/analytics.proto

import type { Long } from '@grpc/proto-loader';

export interface DeleteReply {
  'events'?: (number | string | Long);
}

export interface DeleteReplyOut {
  'events': (number);
}
