// Original file: vds/auth/v1/auth.proto


export interface RotateSigningKeyRequest {
  'actor'?: (string);
  'reason'?: (string);
}

export interface RotateSigningKeyRequestOut {
  'actor': (string);
  'reason': (string);
}
