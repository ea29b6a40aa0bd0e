// Original file: vds/analytics/v1/analytics.proto


export interface QueryRequest {
  'organizationId'?: (string);
  'sql'?: (string);
}

export interface QueryRequestOut {
  'organizationId': (string);
  'sql': (string);
}
