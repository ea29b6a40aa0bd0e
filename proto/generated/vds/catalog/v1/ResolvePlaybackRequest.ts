// Original file: vds/catalog/v1/catalog.proto


/**
 * By one of the two.
 */
export interface ResolvePlaybackRequest {
  'playbackId'?: (string);
  'videoId'?: (string);
}

/**
 * By one of the two.
 */
export interface ResolvePlaybackRequestOut {
  'playbackId': (string);
  'videoId': (string);
}
