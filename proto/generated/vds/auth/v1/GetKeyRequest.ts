// Original file: vds/auth/v1/auth.proto


export interface GetKeyRequest {
  'keyId'?: (string);
}

export interface GetKeyRequestOut {
  'keyId': (string);
}
