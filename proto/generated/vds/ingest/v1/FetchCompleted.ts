// Original file: vds/ingest/v1/ingest_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The source is completely stored in the sources bucket.
 */
export interface FetchCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Of its manifest.
   */
  'sourceKey'?: (string);
  'sourceBytes'?: (number | string | Long);
  /**
   * SHA-256, hexadecimal, over the concatenated SHA-256 digests of its parts, in their order.
   */
  'digest'?: (string);
}

/**
 * The source is completely stored in the sources bucket.
 */
export interface FetchCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Of its manifest.
   */
  'sourceKey': (string);
  'sourceBytes': (number);
  /**
   * SHA-256, hexadecimal, over the concatenated SHA-256 digests of its parts, in their order.
   */
  'digest': (string);
}
