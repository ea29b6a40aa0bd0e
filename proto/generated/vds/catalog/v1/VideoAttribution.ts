// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface VideoAttribution {
  'publisherId'?: (string);
  /**
   * Empty once it is deleted.
   */
  'title'?: (string);
  /**
   * Absent before it was inspected.
   */
  'durationMs'?: (number | string | Long);
  /**
   * Of the video, when this was read.
   */
  'version'?: (number | string | Long);
  '_durationMs'?: "durationMs";
}

export interface VideoAttributionOut {
  'publisherId': (string);
  /**
   * Empty once it is deleted.
   */
  'title': (string);
  /**
   * Absent before it was inspected.
   */
  'durationMs'?: (number);
  /**
   * Of the video, when this was read.
   */
  'version': (number);
  '_durationMs'?: "durationMs";
}
