// Original file: vds/analytics/v1/analytics.proto


export interface DescribeAccessRequest {
  'organizationId'?: (string);
  /**
   * files, clickhouse, bigquery, snowflake or athena; empty: that of the store.
   */
  'engine'?: (string);
  /**
   * What takes the access away instead.
   */
  'revoke'?: (boolean);
}

export interface DescribeAccessRequestOut {
  'organizationId': (string);
  /**
   * files, clickhouse, bigquery, snowflake or athena; empty: that of the store.
   */
  'engine': (string);
  /**
   * What takes the access away instead.
   */
  'revoke': (boolean);
}
