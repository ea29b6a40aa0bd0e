// Original file: vds/catalog/v1/catalog_events.proto


/**
 * Processing of this video is cancelled: workers abort its running jobs and start no others.
 */
export interface VideoCancelled {
  'videoId'?: (string);
}

/**
 * Processing of this video is cancelled: workers abort its running jobs and start no others.
 */
export interface VideoCancelledOut {
  'videoId': (string);
}
