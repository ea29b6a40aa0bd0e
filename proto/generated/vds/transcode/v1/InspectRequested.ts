// Original file: vds/transcode/v1/transcode_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests transcode to inspect the fetched source.
 */
export interface InspectRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  /**
   * Key in the sources bucket.
   */
  'sourceKey'?: (string);
  'sourceBytes'?: (number | string | Long);
}

/**
 * Requests transcode to inspect the fetched source.
 */
export interface InspectRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  /**
   * Key in the sources bucket.
   */
  'sourceKey': (string);
  'sourceBytes': (number);
}
