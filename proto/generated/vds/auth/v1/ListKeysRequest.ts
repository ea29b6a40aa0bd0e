// Original file: vds/auth/v1/auth.proto


export interface ListKeysRequest {
  'publisherId'?: (string);
}

export interface ListKeysRequestOut {
  'publisherId': (string);
}
