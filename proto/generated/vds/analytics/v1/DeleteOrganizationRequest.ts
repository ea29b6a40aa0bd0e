// Original file: vds/analytics/v1/analytics.proto


export interface DeleteOrganizationRequest {
  'organizationId'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface DeleteOrganizationRequestOut {
  'organizationId': (string);
  'actor': (string);
  'reason': (string);
}
