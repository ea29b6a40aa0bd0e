// Original file: vds/indexer/v1/indexer.proto


export interface RecommendRequest {
  /**
   * The seed: one video, or what a viewer has seen, newest first (at most 50).
   */
  'videoIds'?: (string)[];
  'limit'?: (number);
}

export interface RecommendRequestOut {
  /**
   * The seed: one video, or what a viewer has seen, newest first (at most 50).
   */
  'videoIds': (string)[];
  'limit': (number);
}
