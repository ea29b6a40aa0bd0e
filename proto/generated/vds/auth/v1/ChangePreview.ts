// Original file: vds/auth/v1/auth.proto


/**
 * As the audit would record it.
 */
export interface ChangePreview {
  'action'?: (string);
  'was'?: (string);
  'became'?: (string);
}

/**
 * As the audit would record it.
 */
export interface ChangePreviewOut {
  'action': (string);
  'was': (string);
  'became': (string);
}
