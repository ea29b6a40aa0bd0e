// Original file: vds/catalog/v1/catalog_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Asks captions for every track, as soon as the sound is there.
 */
export interface CaptionsRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  /**
   * Rises when the stage is asked for once more within one attempt; 0 the first time.
   */
  'revision'?: (number);
  'durationMs'?: (number | string | Long);
  'hasAudio'?: (boolean);
  /**
   * Key of the audio rendition's media playlist in the media bucket; empty without sound.
   */
  'audioPlaylistKey'?: (string);
  /**
   * What is spoken: two letters of ISO 639-1, as the partner said.
   */
  'languageCode'?: (string);
}

/**
 * Asks captions for every track, as soon as the sound is there.
 */
export interface CaptionsRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  /**
   * Rises when the stage is asked for once more within one attempt; 0 the first time.
   */
  'revision': (number);
  'durationMs': (number);
  'hasAudio': (boolean);
  /**
   * Key of the audio rendition's media playlist in the media bucket; empty without sound.
   */
  'audioPlaylistKey': (string);
  /**
   * What is spoken: two letters of ISO 639-1, as the partner said.
   */
  'languageCode': (string);
}
