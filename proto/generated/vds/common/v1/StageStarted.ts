// Original file: vds/common/v1/stage_events.proto


/**
 * Published once per revision, at the first claim of a job of the stage.
 */
export interface StageStarted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * Which request of the stage it belongs to: 0 is the first.
   */
  'revision'?: (number);
}

/**
 * Published once per revision, at the first claim of a job of the stage.
 */
export interface StageStartedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * Which request of the stage it belongs to: 0 is the first.
   */
  'revision': (number);
}
