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
  /**
   * A code of proto/failures.ts: with it a try ended that is repeated. Empty: it goes on.
   */
  'waiting'?: (string);
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
  /**
   * A code of proto/failures.ts: with it a try ended that is repeated. Empty: it goes on.
   */
  'waiting': (string);
}
