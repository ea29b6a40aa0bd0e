// Original file: vds/common/v1/worker_admin.proto


/**
 * It is malformed, or of a later version than the one that runs.
 */
export interface UnreadableDocument {
  'key'?: (string);
  /**
   * Names the field that is wrong.
   */
  'reason'?: (string);
}

/**
 * It is malformed, or of a later version than the one that runs.
 */
export interface UnreadableDocumentOut {
  'key': (string);
  /**
   * Names the field that is wrong.
   */
  'reason': (string);
}
