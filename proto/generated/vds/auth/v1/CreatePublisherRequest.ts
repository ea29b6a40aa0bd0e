// Original file: vds/auth/v1/auth.proto


export interface CreatePublisherRequest {
  'name'?: (string);
  /**
   * Its id, or its name: a new name creates it.
   */
  'organization'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface CreatePublisherRequestOut {
  'name': (string);
  /**
   * Its id, or its name: a new name creates it.
   */
  'organization': (string);
  'actor': (string);
  'reason': (string);
}
