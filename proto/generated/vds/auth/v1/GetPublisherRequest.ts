// Original file: vds/auth/v1/auth.proto


export interface GetPublisherRequest {
  'publisherId'?: (string);
}

export interface GetPublisherRequestOut {
  'publisherId': (string);
}
