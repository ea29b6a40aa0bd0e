// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Interval {
  /**
   * black, frozen or silent
   */
  'kind'?: (string);
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
}

export interface IntervalOut {
  /**
   * black, frozen or silent
   */
  'kind': (string);
  'startMs': (number);
  'endMs': (number);
}
