// Original file: vds/auth/v1/auth.proto


export interface RevokeKeyRequest {
  'keyId'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RevokeKeyRequestOut {
  'keyId': (string);
  'actor': (string);
  'reason': (string);
}
