// Original file: vds/auth/v1/auth.proto


export interface MinuteWindow {
  /**
   * False: over the limit, nothing was taken.
   */
  'admitted'?: (boolean);
  'limit'?: (number);
  'remaining'?: (number);
  /**
   * Whole seconds until the next request would be admitted; 0 when admitted.
   */
  'retryAfterSeconds'?: (number);
}

export interface MinuteWindowOut {
  /**
   * False: over the limit, nothing was taken.
   */
  'admitted': (boolean);
  'limit': (number);
  'remaining': (number);
  /**
   * Whole seconds until the next request would be admitted; 0 when admitted.
   */
  'retryAfterSeconds': (number);
}
