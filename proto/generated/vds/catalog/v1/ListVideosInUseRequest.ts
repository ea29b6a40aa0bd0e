// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface ListVideosInUseRequest {
  'afterVersionSeq'?: (number | string | Long);
  /**
   * At most 200.
   */
  'limit'?: (number);
  /**
   * If given: only these, at most 200, whatever the others say.
   */
  'videoIds'?: (string)[];
}

export interface ListVideosInUseRequestOut {
  'afterVersionSeq': (number);
  /**
   * At most 200.
   */
  'limit': (number);
  /**
   * If given: only these, at most 200, whatever the others say.
   */
  'videoIds': (string)[];
}
