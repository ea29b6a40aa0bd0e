// Original file: vds/auth/v1/auth.proto


export interface RotateKeyRequest {
  'keyId'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RotateKeyRequestOut {
  'keyId': (string);
  'actor': (string);
  'reason': (string);
}
