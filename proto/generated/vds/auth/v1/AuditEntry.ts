// Original file: vds/auth/v1/auth.proto


export interface AuditEntry {
  'at'?: (string);
  'actor'?: (string);
  /**
   * For example "key rotate".
   */
  'action'?: (string);
  'publisherId'?: (string);
  /**
   * Of an API key or, for "signing-key …", of a signing key.
   */
  'keyId'?: (string);
  /**
   * Of the key that a rotation issued.
   */
  'newKeyId'?: (string);
  'was'?: (string);
  'became'?: (string);
  'reason'?: (string);
  '_publisherId'?: "publisherId";
  '_keyId'?: "keyId";
  '_newKeyId'?: "newKeyId";
}

export interface AuditEntryOut {
  'at': (string);
  'actor': (string);
  /**
   * For example "key rotate".
   */
  'action': (string);
  'publisherId'?: (string);
  /**
   * Of an API key or, for "signing-key …", of a signing key.
   */
  'keyId'?: (string);
  /**
   * Of the key that a rotation issued.
   */
  'newKeyId'?: (string);
  'was': (string);
  'became': (string);
  'reason': (string);
  '_publisherId'?: "publisherId";
  '_keyId'?: "keyId";
  '_newKeyId'?: "newKeyId";
}
