// Original file: vds/captions/v1/captions_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests captions to make every track, as soon as the audio rendition exists.
 */
export interface CaptionsRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  /**
   * Number of the request within the attempt; 0 the first time.
   */
  'revision'?: (number);
  'durationMs'?: (number | string | Long);
  'hasAudio'?: (boolean);
  /**
   * Key of the audio rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey'?: (string);
  /**
   * The spoken language: two letters of ISO 639-1, as the partner submitted it.
   */
  'languageCode'?: (string);
  /**
   * Key of texts.json in the media bucket, the captions inside the source; empty where there are none.
   */
  'textsKey'?: (string);
  /**
   * Of its tracks, as in the container; '' where it has none.
   */
  'textLanguages'?: (string)[];
  /**
   * As the partner submitted it; empty where it gave none.
   */
  'category'?: (string);
  /**
   * What names and terms are taken from: the partner's own texts, and titles of the publisher's other videos, newest first.
   */
  'title'?: (string);
  'summary'?: (string);
  'tags'?: (string)[];
  'earlierTitles'?: (string)[];
}

/**
 * Requests captions to make every track, as soon as the audio rendition exists.
 */
export interface CaptionsRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  /**
   * Number of the request within the attempt; 0 the first time.
   */
  'revision': (number);
  'durationMs': (number);
  'hasAudio': (boolean);
  /**
   * Key of the audio rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey': (string);
  /**
   * The spoken language: two letters of ISO 639-1, as the partner submitted it.
   */
  'languageCode': (string);
  /**
   * Key of texts.json in the media bucket, the captions inside the source; empty where there are none.
   */
  'textsKey': (string);
  /**
   * Of its tracks, as in the container; '' where it has none.
   */
  'textLanguages': (string)[];
  /**
   * As the partner submitted it; empty where it gave none.
   */
  'category': (string);
  /**
   * What names and terms are taken from: the partner's own texts, and titles of the publisher's other videos, newest first.
   */
  'title': (string);
  'summary': (string);
  'tags': (string)[];
  'earlierTitles': (string)[];
}
