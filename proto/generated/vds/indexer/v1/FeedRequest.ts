// Original file: vds/indexer/v1/indexer.proto


export interface FeedRequest {
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
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
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}
