// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Evidence {
  /**
   * title, summary, tags, transcript or screen
   */
  'where'?: (string);
  'text'?: (string);
  /**
   * Absent where the place has no time.
   */
  'atMs'?: (number | string | Long);
  '_atMs'?: "atMs";
}

export interface EvidenceOut {
  /**
   * title, summary, tags, transcript or screen
   */
  'where': (string);
  'text': (string);
  /**
   * Absent where the place has no time.
   */
  'atMs'?: (number);
  '_atMs'?: "atMs";
}
