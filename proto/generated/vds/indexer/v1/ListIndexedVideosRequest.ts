// Original file: vds/indexer/v1/indexer.proto


export interface ListIndexedVideosRequest {
  /**
   * The last id of the page before; empty: the first page.
   */
  'after'?: (string);
  /**
   * At most 1,000, which is also what 0 means.
   */
  'limit'?: (number);
  /**
   * If given: only these, at most 1,000, whatever `after` and `limit` say.
   */
  'videoIds'?: (string)[];
}

export interface ListIndexedVideosRequestOut {
  /**
   * The last id of the page before; empty: the first page.
   */
  'after': (string);
  /**
   * At most 1,000, which is also what 0 means.
   */
  'limit': (number);
  /**
   * If given: only these, at most 1,000, whatever `after` and `limit` say.
   */
  'videoIds': (string)[];
}
