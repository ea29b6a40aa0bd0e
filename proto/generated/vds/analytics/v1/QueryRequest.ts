// Original file: vds/analytics/v1/analytics.proto


export interface QueryRequest {
  'organizationId'?: (string);
  'sql'?: (string);
  /**
   * The first and the last day of receipt, `2026-11-26` in UTC, of the events that the views are made of; empty: any.
   */
  'fromDay'?: (string);
  'toDay'?: (string);
}

export interface QueryRequestOut {
  'organizationId': (string);
  'sql': (string);
  /**
   * The first and the last day of receipt, `2026-11-26` in UTC, of the events that the views are made of; empty: any.
   */
  'fromDay': (string);
  'toDay': (string);
}
