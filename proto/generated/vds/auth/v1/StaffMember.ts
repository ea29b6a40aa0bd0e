// Original file: vds/auth/v1/auth.proto


export interface StaffMember {
  'name'?: (string);
  'createdAt'?: (string);
  'revokedAt'?: (string);
  '_revokedAt'?: "revokedAt";
}

export interface StaffMemberOut {
  'name': (string);
  'createdAt': (string);
  'revokedAt'?: (string);
  '_revokedAt'?: "revokedAt";
}
