// Original file: vds/common/v1/stage_events.proto


/**
 * Published at most every two seconds.
 */
export interface StageProgressed {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * 0 to 100, of this stage alone.
   */
  'percent'?: (number);
  'revision'?: (number);
}

/**
 * Published at most every two seconds.
 */
export interface StageProgressedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * 0 to 100, of this stage alone.
   */
  'percent': (number);
  'revision': (number);
}
