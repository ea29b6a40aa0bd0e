// Original file: vds/indexer/v1/indexer.proto


export interface ListMomentsRequest {
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * 1 to 50; 0 means 20. A page may have fewer moments and yet a next one.
   */
  'limit'?: (number);
  /**
   * next_cursor of the page before, with the same filters and limit.
   */
  'cursor'?: (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}

export interface ListMomentsRequestOut {
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * 1 to 50; 0 means 20. A page may have fewer moments and yet a next one.
   */
  'limit': (number);
  /**
   * next_cursor of the page before, with the same filters and limit.
   */
  'cursor': (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}
