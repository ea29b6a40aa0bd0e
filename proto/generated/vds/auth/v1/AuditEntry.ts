// Original file: vds/auth/v1/auth.proto


export interface AuditEntry {
  'at'?: (string);
  'actor'?: (string);
  /**
   * Such as "key rotate".
   */
  'action'?: (string);
  'publisherId'?: (string);
  /**
   * Of an API key or, for "signing-key …", of a signing key.
   */
  'keyId'?: (string);
  /**
   * Of the key that rotation made.
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
   * Such as "key rotate".
   */
  'action': (string);
  'publisherId'?: (string);
  /**
   * Of an API key or, for "signing-key …", of a signing key.
   */
  'keyId'?: (string);
  /**
   * Of the key that rotation made.
   */
  'newKeyId'?: (string);
  'was': (string);
  'became': (string);
  'reason': (string);
  '_publisherId'?: "publisherId";
  '_keyId'?: "keyId";
  '_newKeyId'?: "newKeyId";
}
