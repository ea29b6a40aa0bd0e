// Original file: vds/auth/v1/auth.proto


export interface RevokeKeyRequest {
  'keyId'?: (string);
}

export interface RevokeKeyRequestOut {
  'keyId': (string);
}
