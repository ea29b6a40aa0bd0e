// Original file: vds/auth/v1/auth.proto


export interface Jwks {
  /**
   * A JWK Set as JSON.
   */
  'json'?: (string);
  'maxAgeSeconds'?: (number);
}

export interface JwksOut {
  /**
   * A JWK Set as JSON.
   */
  'json': (string);
  'maxAgeSeconds': (number);
}
