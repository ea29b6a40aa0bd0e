// Original file: vds/auth/v1/auth.proto


export interface RotateKeyRequest {
  'keyId'?: (string);
}

export interface RotateKeyRequestOut {
  'keyId': (string);
}
