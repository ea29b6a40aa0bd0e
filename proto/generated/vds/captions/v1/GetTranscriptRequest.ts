// Original file: vds/captions/v1/captions.proto


export interface GetTranscriptRequest {
  'videoId'?: (string);
  /**
   * BCP 47; empty: what is spoken. INVALID_ARGUMENT lists those that are ready.
   */
  'languageCode'?: (string);
  /**
   * `next_cursor` of the page before; empty: from the start.
   */
  'cursor'?: (string);
}

export interface GetTranscriptRequestOut {
  'videoId': (string);
  /**
   * BCP 47; empty: what is spoken. INVALID_ARGUMENT lists those that are ready.
   */
  'languageCode': (string);
  /**
   * `next_cursor` of the page before; empty: from the start.
   */
  'cursor': (string);
}
