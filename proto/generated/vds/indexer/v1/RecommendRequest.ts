// Original file: vds/indexer/v1/indexer.proto


export interface RecommendRequest {
  /**
   * The seeds: one video, or a viewer's history, newest first (at most 50).
   */
  'videoIds'?: (string)[];
  'limit'?: (number);
}

export interface RecommendRequestOut {
  /**
   * The seeds: one video, or a viewer's history, newest first (at most 50).
   */
  'videoIds': (string)[];
  'limit': (number);
}
