// Original file: vds/catalog/v1/catalog.proto


export interface Description {
  'videoId'?: (string);
  'publisherId'?: (string);
  'title'?: (string);
  'summary'?: (string);
  'tags'?: (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
}

export interface DescriptionOut {
  'videoId': (string);
  'publisherId': (string);
  'title': (string);
  'summary'?: (string);
  'tags': (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode': (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
}
