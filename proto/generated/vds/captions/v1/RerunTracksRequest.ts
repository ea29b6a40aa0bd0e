// Original file: vds/captions/v1/captions.proto


export interface RerunTracksRequest {
  'videoId'?: (string);
  /**
   * Empty: every track that failed or was skipped; naming the spoken language transcribes the speech again.
   */
  'languages'?: (string)[];
  /**
   * Who requests it and why; both are logged.
   */
  'actor'?: (string);
  'reason'?: (string);
}

export interface RerunTracksRequestOut {
  'videoId': (string);
  /**
   * Empty: every track that failed or was skipped; naming the spoken language transcribes the speech again.
   */
  'languages': (string)[];
  /**
   * Who requests it and why; both are logged.
   */
  'actor': (string);
  'reason': (string);
}
