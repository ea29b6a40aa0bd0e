// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ListVideosRequest {
  'afterVersionSeq'?: (number | string | Long);
  /**
   * At most 1,000.
   */
  'limit'?: (number);
}

export interface ListVideosRequestOut {
  'afterVersionSeq': (number);
  /**
   * At most 1,000.
   */
  'limit': (number);
}
