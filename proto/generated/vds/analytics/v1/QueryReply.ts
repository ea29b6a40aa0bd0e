// Original file: vds/analytics/v1/analytics.proto


export interface QueryReply {
  'columns'?: (string)[];
  /**
   * Each row as a JSON object.
   */
  'rows'?: (string)[];
  /**
   * Whether more rows were left out.
   */
  'isCut'?: (boolean);
}

export interface QueryReplyOut {
  'columns': (string)[];
  /**
   * Each row as a JSON object.
   */
  'rows': (string)[];
  /**
   * Whether more rows were left out.
   */
  'isCut': (boolean);
}
