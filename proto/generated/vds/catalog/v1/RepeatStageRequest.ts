// Original file: vds/catalog/v1/catalog.proto


export interface RepeatStageRequest {
  'videoId'?: (string);
  /**
   * Its name, such as "metadata".
   */
  'stage'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RepeatStageRequestOut {
  'videoId': (string);
  /**
   * Its name, such as "metadata".
   */
  'stage': (string);
  'actor': (string);
  'reason': (string);
}
