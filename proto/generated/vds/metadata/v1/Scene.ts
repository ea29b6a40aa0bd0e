// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Scene {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  /**
   * Of the picture that stands for it.
   */
  'thumbnailMs'?: (number | string | Long);
}

export interface SceneOut {
  'startMs': (number);
  'endMs': (number);
  /**
   * Of the picture that stands for it.
   */
  'thumbnailMs': (number);
}
