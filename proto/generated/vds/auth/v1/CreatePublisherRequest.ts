// Original file: vds/auth/v1/auth.proto


export interface CreatePublisherRequest {
  'name'?: (string);
  'organization'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface CreatePublisherRequestOut {
  'name': (string);
  'organization': (string);
  'actor': (string);
  'reason': (string);
}
