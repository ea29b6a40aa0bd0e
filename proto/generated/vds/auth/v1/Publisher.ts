// Original file: vds/auth/v1/auth.proto


export interface Publisher {
  'id'?: (string);
  'name'?: (string);
  /**
   * Its name.
   */
  'organization'?: (string);
  'createdAt'?: (string);
  'organizationId'?: (string);
  /**
   * Absent: active.
   */
  'suspendedAt'?: (string);
  '_suspendedAt'?: "suspendedAt";
}

export interface PublisherOut {
  'id': (string);
  'name': (string);
  /**
   * Its name.
   */
  'organization': (string);
  'createdAt': (string);
  'organizationId': (string);
  /**
   * Absent: active.
   */
  'suspendedAt'?: (string);
  '_suspendedAt'?: "suspendedAt";
}
