// Original file: vds/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface Jwks {
  /**
   * A JWK Set as JSON.
   */
  'json'?: (string);
  'maxAgeSeconds'?: (number);
  /**
   * The issuer's clock, milliseconds since the epoch: the expiry of a token is judged by it, not by the verifier's own.
   */
  'nowMs'?: (number | string | Long);
}

export interface JwksOut {
  /**
   * A JWK Set as JSON.
   */
  'json': (string);
  'maxAgeSeconds': (number);
  /**
   * The issuer's clock, milliseconds since the epoch: the expiry of a token is judged by it, not by the verifier's own.
   */
  'nowMs': (number);
}
