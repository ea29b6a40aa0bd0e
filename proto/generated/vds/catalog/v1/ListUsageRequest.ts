// Original file: vds/catalog/v1/catalog.proto


export interface ListUsageRequest {
  /**
   * `2026-11`, in UTC.
   */
  'month'?: (string);
  /**
   * Only publishers behind this one.
   */
  'afterPublisherId'?: (string);
}

export interface ListUsageRequestOut {
  /**
   * `2026-11`, in UTC.
   */
  'month': (string);
  /**
   * Only publishers behind this one.
   */
  'afterPublisherId': (string);
}
