// Original file: vds/analytics/v1/analytics.proto


export interface DeleteViewerRequest {
  'organizationId'?: (string);
  /**
   * As the views have it.
   */
  'viewerId'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface DeleteViewerRequestOut {
  'organizationId': (string);
  /**
   * As the views have it.
   */
  'viewerId': (string);
  'actor': (string);
  'reason': (string);
}
