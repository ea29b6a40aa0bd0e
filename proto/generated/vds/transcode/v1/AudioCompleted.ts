// Original file: vds/transcode/v1/transcode_events.proto


/**
 * The audio rendition and the captions inside the source are complete: captions may begin while pictures are still
 * being encoded.
 */
export interface AudioCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  'hasAudio'?: (boolean);
  /**
   * Key of the rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey'?: (string);
  /**
   * Key of texts.json in the media bucket; empty where the source holds no captions.
   */
  'textsKey'?: (string);
  /**
   * Of its tracks, as in the container; '' where it has none.
   */
  'textLanguages'?: (string)[];
}

/**
 * The audio rendition and the captions inside the source are complete: captions may begin while pictures are still
 * being encoded.
 */
export interface AudioCompletedOut {
  'videoId': (string);
  'attempt': (number);
  'hasAudio': (boolean);
  /**
   * Key of the rendition's media playlist in the media bucket; empty without audio.
   */
  'audioPlaylistKey': (string);
  /**
   * Key of texts.json in the media bucket; empty where the source holds no captions.
   */
  'textsKey': (string);
  /**
   * Of its tracks, as in the container; '' where it has none.
   */
  'textLanguages': (string)[];
}
