// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Scene {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  /**
   * Time of the frame that serves as its thumbnail.
   */
  'thumbnailMs'?: (number | string | Long);
}

export interface SceneOut {
  'startMs': (number);
  'endMs': (number);
  /**
   * Time of the frame that serves as its thumbnail.
   */
  'thumbnailMs': (number);
}
