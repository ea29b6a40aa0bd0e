// Original file: vds/metadata/v1/metadata_events.proto


/**
 * The metadata can be read with GetMetadata.
 */
export interface MetadataCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * The revision of the request.
   */
  'revision'?: (number);
}

/**
 * The metadata can be read with GetMetadata.
 */
export interface MetadataCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * The revision of the request.
   */
  'revision': (number);
}
