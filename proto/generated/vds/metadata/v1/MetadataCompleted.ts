// Original file: vds/metadata/v1/metadata_events.proto


/**
 * What was found can be read with GetMetadata.
 */
export interface MetadataCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * That of the request.
   */
  'revision'?: (number);
}

/**
 * What was found can be read with GetMetadata.
 */
export interface MetadataCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * That of the request.
   */
  'revision': (number);
}
