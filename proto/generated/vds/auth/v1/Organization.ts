// Original file: vds/auth/v1/auth.proto


export interface Organization {
  'id'?: (string);
  'name'?: (string);
  'createdAt'?: (string);
}

export interface OrganizationOut {
  'id': (string);
  'name': (string);
  'createdAt': (string);
}
