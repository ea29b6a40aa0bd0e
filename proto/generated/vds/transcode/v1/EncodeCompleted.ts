// Original file: vds/transcode/v1/transcode_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The complete ladder is verified and in the media bucket.
 */
export interface EncodeCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Key of ladder.json in the media bucket.
   */
  'ladderKey'?: (string);
  'thumbnailKey'?: (string);
  'durationMs'?: (number | string | Long);
  /**
   * As in AudioCompleted, for consumers that missed it.
   */
  'hasAudio'?: (boolean);
  'audioPlaylistKey'?: (string);
  /**
   * Bytes of the segments of all renditions: nearly all that is stored of a video for good.
   */
  'storedBytes'?: (number | string | Long);
  'textsKey'?: (string);
  'textLanguages'?: (string)[];
  '_durationMs'?: "durationMs";
  '_hasAudio'?: "hasAudio";
  '_audioPlaylistKey'?: "audioPlaylistKey";
  '_textsKey'?: "textsKey";
}

/**
 * The complete ladder is verified and in the media bucket.
 */
export interface EncodeCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Key of ladder.json in the media bucket.
   */
  'ladderKey': (string);
  'thumbnailKey': (string);
  'durationMs'?: (number);
  /**
   * As in AudioCompleted, for consumers that missed it.
   */
  'hasAudio'?: (boolean);
  'audioPlaylistKey'?: (string);
  /**
   * Bytes of the segments of all renditions: nearly all that is stored of a video for good.
   */
  'storedBytes': (number);
  'textsKey'?: (string);
  'textLanguages': (string)[];
  '_durationMs'?: "durationMs";
  '_hasAudio'?: "hasAudio";
  '_audioPlaylistKey'?: "audioPlaylistKey";
  '_textsKey'?: "textsKey";
}
