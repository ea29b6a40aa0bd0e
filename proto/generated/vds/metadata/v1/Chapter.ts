// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Chapter {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  /**
   * As the partner sent it; may be empty.
   */
  'title'?: (string);
}

export interface ChapterOut {
  'startMs': (number);
  'endMs': (number);
  /**
   * As the partner sent it; may be empty.
   */
  'title': (string);
}
