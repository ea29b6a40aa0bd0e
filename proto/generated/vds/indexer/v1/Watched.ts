// Original file: vds/indexer/v1/indexer.proto


export interface Watched {
  'videoId'?: (string);
  /**
   * Watched share of the video, 0 to 1.
   */
  'share'?: (number | string);
}

export interface WatchedOut {
  'videoId': (string);
  /**
   * Watched share of the video, 0 to 1.
   */
  'share': (number);
}
