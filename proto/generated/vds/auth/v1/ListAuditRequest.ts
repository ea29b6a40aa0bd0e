// Original file: vds/auth/v1/auth.proto


export interface ListAuditRequest {
  /**
   * Empty: of any.
   */
  'publisherId'?: (string);
  /**
   * Includes the rotation that issued it.
   */
  'keyId'?: (string);
  'actor'?: (string);
  /**
   * RFC 3339; empty: no lower bound.
   */
  'since'?: (string);
  /**
   * At most 200; 0 means 200.
   */
  'pageSize'?: (number);
  /**
   * `next_cursor` of the previous page; empty: the first page.
   */
  'cursor'?: (string);
}

export interface ListAuditRequestOut {
  /**
   * Empty: of any.
   */
  'publisherId': (string);
  /**
   * Includes the rotation that issued it.
   */
  'keyId': (string);
  'actor': (string);
  /**
   * RFC 3339; empty: no lower bound.
   */
  'since': (string);
  /**
   * At most 200; 0 means 200.
   */
  'pageSize': (number);
  /**
   * `next_cursor` of the previous page; empty: the first page.
   */
  'cursor': (string);
}
