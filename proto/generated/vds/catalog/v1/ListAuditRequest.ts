// Original file: vds/catalog/v1/catalog.proto


export interface ListAuditRequest {
  /**
   * Empty: of any publisher.
   */
  'publisherId'?: (string);
  'videoId'?: (string);
  'actor'?: (string);
  /**
   * RFC 3339; empty: from the beginning.
   */
  'since'?: (string);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize'?: (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor'?: (string);
}

export interface ListAuditRequestOut {
  /**
   * Empty: of any publisher.
   */
  'publisherId': (string);
  'videoId': (string);
  'actor': (string);
  /**
   * RFC 3339; empty: from the beginning.
   */
  'since': (string);
  /**
   * At most 200, which is also what 0 means.
   */
  'pageSize': (number);
  /**
   * `next_cursor` of the page before; empty: the first page.
   */
  'cursor': (string);
}
