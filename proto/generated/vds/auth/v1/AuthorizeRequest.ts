// Original file: vds/auth/v1/auth.proto


export interface AuthorizeRequest {
  /**
   * The bearer credential as sent. Never logged.
   */
  'key'?: (string);
  /**
   * The same for every attempt at one request, which counts once; empty: this call is the only one.
   */
  'requestId'?: (string);
}

export interface AuthorizeRequestOut {
  /**
   * The bearer credential as sent. Never logged.
   */
  'key': (string);
  /**
   * The same for every attempt at one request, which counts once; empty: this call is the only one.
   */
  'requestId': (string);
}
