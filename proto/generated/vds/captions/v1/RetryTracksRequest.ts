// Original file: vds/captions/v1/captions.proto


export interface RetryTracksRequest {
  'videoId'?: (string);
  /**
   * Empty: every track that failed or was skipped; the spoken language's own makes the speech be heard anew.
   */
  'languages'?: (string)[];
  /**
   * Who asks and why; both are logged.
   */
  'actor'?: (string);
  'reason'?: (string);
}

export interface RetryTracksRequestOut {
  'videoId': (string);
  /**
   * Empty: every track that failed or was skipped; the spoken language's own makes the speech be heard anew.
   */
  'languages': (string)[];
  /**
   * Who asks and why; both are logged.
   */
  'actor': (string);
  'reason': (string);
}
