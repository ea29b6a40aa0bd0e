// Original file: vds/captions/v1/track.proto


/**
 * One caption track of a video: the spoken words, or their translation.
 */
export interface Track {
  /**
   * BCP 47.
   */
  'language'?: (string);
  /**
   * "captions": in the spoken language; "subtitles": in another one.
   */
  'kind'?: (string);
  /**
   * processing, ready, failed or skipped
   */
  'status'?: (string);
  /**
   * Why it failed or was skipped: no_audio, no_speech, language_unsupported, no_path or engine_error.
   */
  'reason'?: (string);
  /**
   * Shown in a player's menu; marks machine translations as such.
   */
  'name'?: (string);
  /**
   * Keys in the captions bucket, present when ready: the HLS media playlist, and the sentences with their times
   * (proto/documents/track.ts).
   */
  'playlistKey'?: (string);
  'textKey'?: (string);
  /**
   * Languages of the translation route, the spoken one first; one entry for the captions themselves. The step to English
   * may be the speech engine's.
   */
  'path'?: (string)[];
  /**
   * It came inside the partner's file, and nothing was recognised or translated.
   */
  'provided'?: (boolean);
  /**
   * Of the staff, who corrected it last; empty where nobody did.
   */
  'correctedBy'?: (string);
  '_reason'?: "reason";
  '_playlistKey'?: "playlistKey";
  '_textKey'?: "textKey";
}

/**
 * One caption track of a video: the spoken words, or their translation.
 */
export interface TrackOut {
  /**
   * BCP 47.
   */
  'language': (string);
  /**
   * "captions": in the spoken language; "subtitles": in another one.
   */
  'kind': (string);
  /**
   * processing, ready, failed or skipped
   */
  'status': (string);
  /**
   * Why it failed or was skipped: no_audio, no_speech, language_unsupported, no_path or engine_error.
   */
  'reason'?: (string);
  /**
   * Shown in a player's menu; marks machine translations as such.
   */
  'name': (string);
  /**
   * Keys in the captions bucket, present when ready: the HLS media playlist, and the sentences with their times
   * (proto/documents/track.ts).
   */
  'playlistKey'?: (string);
  'textKey'?: (string);
  /**
   * Languages of the translation route, the spoken one first; one entry for the captions themselves. The step to English
   * may be the speech engine's.
   */
  'path': (string)[];
  /**
   * It came inside the partner's file, and nothing was recognised or translated.
   */
  'provided': (boolean);
  /**
   * Of the staff, who corrected it last; empty where nobody did.
   */
  'correctedBy': (string);
  '_reason'?: "reason";
  '_playlistKey'?: "playlistKey";
  '_textKey'?: "textKey";
}
