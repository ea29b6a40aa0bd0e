// Original file: vds/auth/v1/auth.proto


export interface AuthorizeRequest {
  /**
   * The bearer credential as sent. Never logged.
   */
  'key'?: (string);
}

export interface AuthorizeRequestOut {
  /**
   * The bearer credential as sent. Never logged.
   */
  'key': (string);
}
