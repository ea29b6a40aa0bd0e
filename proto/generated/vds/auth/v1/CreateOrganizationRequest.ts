// Original file: vds/auth/v1/auth.proto


export interface CreateOrganizationRequest {
  /**
   * Unique.
   */
  'name'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface CreateOrganizationRequestOut {
  /**
   * Unique.
   */
  'name': (string);
  'actor': (string);
  'reason': (string);
}
