// Original file: vds/ingest/v1/ingest_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The beginning and the end of a source are stored, and the rest is being fetched. Sent again by a later try.
 */
export interface HeadStored {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Of its manifest.
   */
  'sourceKey'?: (string);
  'sourceBytes'?: (number | string | Long);
}

/**
 * The beginning and the end of a source are stored, and the rest is being fetched. Sent again by a later try.
 */
export interface HeadStoredOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Of its manifest.
   */
  'sourceKey': (string);
  'sourceBytes': (number);
}
