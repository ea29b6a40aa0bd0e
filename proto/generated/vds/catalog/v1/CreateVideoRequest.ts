// Original file: vds/catalog/v1/catalog.proto


export interface CreateVideoRequest {
  'id'?: (string);
  'publisherId'?: (string);
  'keyId'?: (string);
  'budgetId'?: (string);
  'dailyLimit'?: (number);
  'sourceUrl'?: (string);
  'title'?: (string);
  'thumbnailUrl'?: (string);
  'tags'?: (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  'summary'?: (string);
  /**
   * The partner's; empty: none. Within a day the same key and hash are the same video, without a second charge.
   */
  'idempotencyKey'?: (string);
  /**
   * SHA-256 of the request as parsed JSON; another one with the same key is FAILED_PRECONDITION.
   */
  'requestHash'?: (Buffer | Uint8Array | string);
  '_thumbnailUrl'?: "thumbnailUrl";
  '_sport'?: "sport";
  '_category'?: "category";
  '_summary'?: "summary";
}

export interface CreateVideoRequestOut {
  'id': (string);
  'publisherId': (string);
  'keyId': (string);
  'budgetId': (string);
  'dailyLimit': (number);
  'sourceUrl': (string);
  'title': (string);
  'thumbnailUrl'?: (string);
  'tags': (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode': (string);
  'summary'?: (string);
  /**
   * The partner's; empty: none. Within a day the same key and hash are the same video, without a second charge.
   */
  'idempotencyKey': (string);
  /**
   * SHA-256 of the request as parsed JSON; another one with the same key is FAILED_PRECONDITION.
   */
  'requestHash': (Buffer);
  '_thumbnailUrl'?: "thumbnailUrl";
  '_sport'?: "sport";
  '_category'?: "category";
  '_summary'?: "summary";
}
