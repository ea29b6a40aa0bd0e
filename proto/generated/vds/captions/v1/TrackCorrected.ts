// Original file: vds/captions/v1/captions_events.proto


/**
 * The staff has corrected a track: for the audit.
 */
export interface TrackCorrected {
  'videoId'?: (string);
  'attempt'?: (number);
  'language'?: (string);
  /**
   * The cue that was fixed, from 1; 0 where the whole track was replaced.
   */
  'cue'?: (number);
  /**
   * Revisions of the state before the correction and with it.
   */
  'wasRevision'?: (number);
  'revision'?: (number);
  'actor'?: (string);
  'reason'?: (string);
  /**
   * When the correction was accepted; RFC 3339.
   */
  'acceptedAt'?: (string);
}

/**
 * The staff has corrected a track: for the audit.
 */
export interface TrackCorrectedOut {
  'videoId': (string);
  'attempt': (number);
  'language': (string);
  /**
   * The cue that was fixed, from 1; 0 where the whole track was replaced.
   */
  'cue': (number);
  /**
   * Revisions of the state before the correction and with it.
   */
  'wasRevision': (number);
  'revision': (number);
  'actor': (string);
  'reason': (string);
  /**
   * When the correction was accepted; RFC 3339.
   */
  'acceptedAt': (string);
}
