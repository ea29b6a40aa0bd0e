// Original file: vds/metadata/v1/metadata_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests metadata to analyze the encoded video; requested again when a transcript comes late.
 */
export interface MetadataRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  'revision'?: (number);
  'durationMs'?: (number | string | Long);
  /**
   * Key of ladder.json in the media bucket.
   */
  'ladderKey'?: (string);
  'hasAudio'?: (boolean);
  'audioPlaylistKey'?: (string);
  /**
   * Key in the captions bucket; empty while there is no transcript.
   */
  'transcriptKey'?: (string);
}

/**
 * Requests metadata to analyze the encoded video; requested again when a transcript comes late.
 */
export interface MetadataRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  'revision': (number);
  'durationMs': (number);
  /**
   * Key of ladder.json in the media bucket.
   */
  'ladderKey': (string);
  'hasAudio': (boolean);
  'audioPlaylistKey': (string);
  /**
   * Key in the captions bucket; empty while there is no transcript.
   */
  'transcriptKey': (string);
}
