// Original file: vds/indexer/v1/indexer.proto


export interface SearchRequest {
  /**
   * 1 to 2,000 code points, any script.
   */
  'query'?: (string);
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * BCP 47: captions in this language are preferred in ranking and snippets.
   */
  'language'?: (string);
  /**
   * 1 to 50; 0 means 20.
   */
  'limit'?: (number);
  /**
   * next_cursor of the page before, with the same query and filters.
   */
  'cursor'?: (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
  '_language'?: "language";
}

export interface SearchRequestOut {
  /**
   * 1 to 2,000 code points, any script.
   */
  'query': (string);
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * BCP 47: captions in this language are preferred in ranking and snippets.
   */
  'language'?: (string);
  /**
   * 1 to 50; 0 means 20.
   */
  'limit': (number);
  /**
   * next_cursor of the page before, with the same query and filters.
   */
  'cursor': (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
  '_language'?: "language";
}
