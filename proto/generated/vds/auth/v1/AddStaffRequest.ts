// Original file: vds/auth/v1/auth.proto


export interface AddStaffRequest {
  /**
   * Unique among those in force, such as "maria.lopez".
   */
  'name'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface AddStaffRequestOut {
  /**
   * Unique among those in force, such as "maria.lopez".
   */
  'name': (string);
  'actor': (string);
  'reason': (string);
}
