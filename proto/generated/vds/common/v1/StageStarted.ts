// Original file: vds/common/v1/stage_events.proto


/**
 * Said once, at the first claim of the stage's first unit of work.
 */
export interface StageStarted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Which asking of the stage it is about: 0 the first.
   */
  'revision'?: (number);
}

/**
 * Said once, at the first claim of the stage's first unit of work.
 */
export interface StageStartedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Which asking of the stage it is about: 0 the first.
   */
  'revision': (number);
}
