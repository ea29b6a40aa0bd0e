// Original file: vds/catalog/v1/catalog_events.proto


/**
 * Processing of this video is cancelled: stop at the next job boundary.
 */
export interface VideoCancelled {
  'videoId'?: (string);
}

/**
 * Processing of this video is cancelled: stop at the next job boundary.
 */
export interface VideoCancelledOut {
  'videoId': (string);
}
