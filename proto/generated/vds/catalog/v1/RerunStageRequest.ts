// Original file: vds/catalog/v1/catalog.proto


export interface RerunStageRequest {
  'videoId'?: (string);
  /**
   * Its name, such as "metadata".
   */
  'stage'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface RerunStageRequestOut {
  'videoId': (string);
  /**
   * Its name, such as "metadata".
   */
  'stage': (string);
  'actor': (string);
  'reason': (string);
}
