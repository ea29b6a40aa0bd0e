// Original file: vds/indexer/v1/indexer.proto


export interface FeedRequest {
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  /**
   * What is watched most now, more than is usual, instead of the newest; empty where hardly anybody watches.
   */
  'trending'?: (boolean);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}

export interface FeedRequestOut {
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  'limit': (number);
  'cursor': (string);
  /**
   * What is watched most now, more than is usual, instead of the newest; empty where hardly anybody watches.
   */
  'trending': (boolean);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}
