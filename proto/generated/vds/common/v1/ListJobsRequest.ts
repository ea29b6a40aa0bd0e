// Original file: vds/common/v1/worker_admin.proto


export interface ListJobsRequest {
  /**
   * Empty: of any video.
   */
  'videoId'?: (string);
  /**
   * ready, running, done, failed or cancelled; empty: in any state.
   */
  'state'?: (string);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize'?: (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor'?: (string);
}

export interface ListJobsRequestOut {
  /**
   * Empty: of any video.
   */
  'videoId': (string);
  /**
   * ready, running, done, failed or cancelled; empty: in any state.
   */
  'state': (string);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize': (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor': (string);
}
