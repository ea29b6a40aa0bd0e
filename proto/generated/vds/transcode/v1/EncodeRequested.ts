// Original file: vds/transcode/v1/transcode_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests transcode to encode the ladder, the audio rendition, the thumbnail and the storyboard.
 */
export interface EncodeRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  'sourceKey'?: (string);
  'sourceBytes'?: (number | string | Long);
  'durationMs'?: (number | string | Long);
}

/**
 * Requests transcode to encode the ladder, the audio rendition, the thumbnail and the storyboard.
 */
export interface EncodeRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  'sourceKey': (string);
  'sourceBytes': (number);
  'durationMs': (number);
}
