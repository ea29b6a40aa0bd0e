// Original file: vds/captions/v1/captions.proto


export interface RerunTracksRequest {
  'videoId'?: (string);
  /**
   * Empty: every track that failed or was skipped. Naming the spoken language transcribes the speech again, and so does a
   * track that needs English made of the sound where there is none yet.
   */
  'languages'?: (string)[];
  /**
   * Who requests it and why; both are logged.
   */
  'actor'?: (string);
  'reason'?: (string);
  /**
   * Make corrected tracks again too.
   */
  'overwriteCorrected'?: (boolean);
}

export interface RerunTracksRequestOut {
  'videoId': (string);
  /**
   * Empty: every track that failed or was skipped. Naming the spoken language transcribes the speech again, and so does a
   * track that needs English made of the sound where there is none yet.
   */
  'languages': (string)[];
  /**
   * Who requests it and why; both are logged.
   */
  'actor': (string);
  'reason': (string);
  /**
   * Make corrected tracks again too.
   */
  'overwriteCorrected': (boolean);
}
