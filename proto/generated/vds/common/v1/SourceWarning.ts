// Original file: vds/common/v1/stage_events.proto


/**
 * Something about the source that works but is not recommended.
 */
export interface SourceWarning {
  'code'?: (string);
  'message'?: (string);
}

/**
 * Something about the source that works but is not recommended.
 */
export interface SourceWarningOut {
  'code': (string);
  'message': (string);
}
