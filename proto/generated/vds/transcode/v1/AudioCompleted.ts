// Original file: vds/transcode/v1/transcode_events.proto


/**
 * The audio rendition is complete: speech recognition may begin while pictures are still being encoded.
 */
export interface AudioCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  'hasAudio'?: (boolean);
  /**
   * Key of the rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey'?: (string);
}

/**
 * The audio rendition is complete: speech recognition may begin while pictures are still being encoded.
 */
export interface AudioCompletedOut {
  'videoId': (string);
  'attempt': (number);
  'hasAudio': (boolean);
  /**
   * Key of the rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey': (string);
}
