// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Stretch {
  /**
   * black, frozen or silent
   */
  'kind'?: (string);
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
}

export interface StretchOut {
  /**
   * black, frozen or silent
   */
  'kind': (string);
  'startMs': (number);
  'endMs': (number);
}
