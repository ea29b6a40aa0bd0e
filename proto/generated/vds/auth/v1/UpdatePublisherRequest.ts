// Original file: vds/auth/v1/auth.proto


export interface UpdatePublisherRequest {
  'publisherId'?: (string);
  'name'?: (string);
  'organization'?: (string);
  'actor'?: (string);
  'reason'?: (string);
  '_name'?: "name";
  '_organization'?: "organization";
}

export interface UpdatePublisherRequestOut {
  'publisherId': (string);
  'name'?: (string);
  'organization'?: (string);
  'actor': (string);
  'reason': (string);
  '_name'?: "name";
  '_organization'?: "organization";
}
