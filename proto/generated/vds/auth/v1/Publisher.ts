// Original file: vds/auth/v1/auth.proto


export interface Publisher {
  'id'?: (string);
  'name'?: (string);
  'organization'?: (string);
  'createdAt'?: (string);
}

export interface PublisherOut {
  'id': (string);
  'name': (string);
  'organization': (string);
  'createdAt': (string);
}
