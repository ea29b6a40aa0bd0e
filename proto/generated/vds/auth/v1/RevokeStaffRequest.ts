// Original file: vds/auth/v1/auth.proto


export interface RevokeStaffRequest {
  'name'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RevokeStaffRequestOut {
  'name': (string);
  'actor': (string);
  'reason': (string);
}
