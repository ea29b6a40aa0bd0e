// Original file: vds/transcode/v1/transcode_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The whole ladder is verified and in the media bucket.
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
   * What AudioCompleted said, for who has lost that: has_audio and playlist_key. Absent in what was kept before there were these.
   */
  'hasAudio'?: (boolean);
  'audioPlaylistKey'?: (string);
  '_hasAudio'?: "hasAudio";
}

/**
 * The whole ladder is verified and in the media bucket.
 */
export interface EncodeCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Key of ladder.json in the media bucket.
   */
  'ladderKey': (string);
  'thumbnailKey': (string);
  'durationMs': (number);
  /**
   * What AudioCompleted said, for who has lost that: has_audio and playlist_key. Absent in what was kept before there were these.
   */
  'hasAudio'?: (boolean);
  'audioPlaylistKey': (string);
  '_hasAudio'?: "hasAudio";
}
