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
  '_thumbnailUrl'?: "thumbnailUrl";
  '_sport'?: "sport";
  '_category'?: "category";
  '_summary'?: "summary";
}
