// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

/**
 * At most 64 a video.
 */
export interface Passage {
  /**
   * Where it begins; absent: title, tags and summary.
   */
  'atMs'?: (number | string | Long);
  /**
   * Signed bytes, one a dimension: unit length times 127, rounded.
   */
  'vector'?: (Buffer | Uint8Array | string);
  '_atMs'?: "atMs";
}

/**
 * At most 64 a video.
 */
export interface PassageOut {
  /**
   * Where it begins; absent: title, tags and summary.
   */
  'atMs'?: (number);
  /**
   * Signed bytes, one a dimension: unit length times 127, rounded.
   */
  'vector': (Buffer);
  '_atMs'?: "atMs";
}
