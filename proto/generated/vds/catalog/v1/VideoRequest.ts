// Original file: vds/catalog/v1/catalog.proto


export interface VideoRequest {
  'id'?: (string);
  'publisherId'?: (string);
  /**
   * The key that the partner used, for the audit.
   */
  'keyId'?: (string);
}

export interface VideoRequestOut {
  'id': (string);
  'publisherId': (string);
  /**
   * The key that the partner used, for the audit.
   */
  'keyId': (string);
}
