// Original file: vds/catalog/v1/catalog.proto


export interface AdminVideoRequest {
  'videoId'?: (string);
  /**
   * Who and why; both are written to the audit. Requests that only read need neither.
   */
  'actor'?: (string);
  'reason'?: (string);
}

export interface AdminVideoRequestOut {
  'videoId': (string);
  /**
   * Who and why; both are written to the audit. Requests that only read need neither.
   */
  'actor': (string);
  'reason': (string);
}
