// Original file: vds/catalog/v1/catalog_events.proto


/**
 * Work on this video is no longer wanted: stop at the next unit boundary.
 */
export interface VideoCancelled {
  'videoId'?: (string);
}

/**
 * Work on this video is no longer wanted: stop at the next unit boundary.
 */
export interface VideoCancelledOut {
  'videoId': (string);
}
