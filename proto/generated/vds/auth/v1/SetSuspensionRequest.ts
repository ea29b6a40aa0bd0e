// Original file: vds/auth/v1/auth.proto


export interface SetSuspensionRequest {
  'publisherId'?: (string);
  'suspended'?: (boolean);
  'actor'?: (string);
  'reason'?: (string);
}

export interface SetSuspensionRequestOut {
  'publisherId': (string);
  'suspended': (boolean);
  'actor': (string);
  'reason': (string);
}
