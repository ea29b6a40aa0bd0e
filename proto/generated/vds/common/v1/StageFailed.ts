// Original file: vds/common/v1/stage_events.proto


/**
 * The terminal event of a stage that did not succeed.
 */
export interface StageFailed {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * A code of proto/failures.ts.
   */
  'code'?: (string);
  /**
   * Partner-visible facts, such as {"codec": "mpeg2video"}; never raw tool output, never an internal address.
   */
  'details'?: ({[key: string]: string});
  'revision'?: (number);
}

/**
 * The terminal event of a stage that did not succeed.
 */
export interface StageFailedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * A code of proto/failures.ts.
   */
  'code': (string);
  /**
   * Partner-visible facts, such as {"codec": "mpeg2video"}; never raw tool output, never an internal address.
   */
  'details': ({[key: string]: string});
  'revision': (number);
}
