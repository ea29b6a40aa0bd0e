// Original file: vds/common/v1/worker_admin.proto


export interface ListKnownVideosRequest {
  /**
   * The last id of the page before; empty: the first page.
   */
  'after'?: (string);
  /**
   * At most 1,000, which is also what 0 means.
   */
  'limit'?: (number);
}

export interface ListKnownVideosRequestOut {
  /**
   * The last id of the page before; empty: the first page.
   */
  'after': (string);
  /**
   * At most 1,000, which is also what 0 means.
   */
  'limit': (number);
}
