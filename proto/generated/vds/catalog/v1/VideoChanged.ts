// Original file: vds/catalog/v1/catalog_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The searchable or playable state changed: read it again.
 */
export interface VideoChanged {
  'videoId'?: (string);
  'version'?: (number | string | Long);
  /**
   * Present once the video has one.
   */
  'playbackId'?: (string);
  '_playbackId'?: "playbackId";
}

/**
 * The searchable or playable state changed: read it again.
 */
export interface VideoChangedOut {
  'videoId': (string);
  'version': (number);
  /**
   * Present once the video has one.
   */
  'playbackId'?: (string);
  '_playbackId'?: "playbackId";
}
