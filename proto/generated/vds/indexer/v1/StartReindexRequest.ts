// Original file: vds/indexer/v1/indexer.proto


export interface StartReindexRequest {
  'actor'?: (string);
  'reason'?: (string);
  /**
   * Serve the new index even if it has less than half of the live videos that the served one has.
   */
  'force'?: (boolean);
}

export interface StartReindexRequestOut {
  'actor': (string);
  'reason': (string);
  /**
   * Serve the new index even if it has less than half of the live videos that the served one has.
   */
  'force': (boolean);
}
