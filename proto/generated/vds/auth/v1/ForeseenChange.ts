// Original file: vds/auth/v1/auth.proto


/**
 * As the audit would have it.
 */
export interface ForeseenChange {
  'action'?: (string);
  'was'?: (string);
  'became'?: (string);
}

/**
 * As the audit would have it.
 */
export interface ForeseenChangeOut {
  'action': (string);
  'was': (string);
  'became': (string);
}
