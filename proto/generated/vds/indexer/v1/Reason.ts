// Original file: vds/indexer/v1/indexer.proto


export interface Reason {
  /**
   * watched_together, similar, same_sport or fresh
   */
  'kind'?: (string);
  /**
   * The seed that it follows from; empty for fresh.
   */
  'videoId'?: (string);
}

export interface ReasonOut {
  /**
   * watched_together, similar, same_sport or fresh
   */
  'kind': (string);
  /**
   * The seed that it follows from; empty for fresh.
   */
  'videoId': (string);
}
