// Original file: vds/auth/v1/auth.proto


export interface MinuteWindow {
  /**
   * False: over the limit; the request does not count.
   */
  'admitted'?: (boolean);
  'limit'?: (number);
  'remaining'?: (number);
  /**
   * Whole seconds until a request is admitted; 0 when this one was.
   */
  'retryAfterSeconds'?: (number);
}

export interface MinuteWindowOut {
  /**
   * False: over the limit; the request does not count.
   */
  'admitted': (boolean);
  'limit': (number);
  'remaining': (number);
  /**
   * Whole seconds until a request is admitted; 0 when this one was.
   */
  'retryAfterSeconds': (number);
}
