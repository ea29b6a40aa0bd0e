// Original file: vds/auth/v1/auth.proto


export interface RenameOrganizationRequest {
  'organizationId'?: (string);
  'name'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RenameOrganizationRequestOut {
  'organizationId': (string);
  'name': (string);
  'actor': (string);
  'reason': (string);
}
