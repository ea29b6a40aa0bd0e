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
  /**
   * Key of the transcript in the captions bucket; absent while there is none.
   */
  'transcriptKey'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_transcriptKey'?: "transcriptKey";
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
  /**
   * Key of the transcript in the captions bucket; absent while there is none.
   */
  'transcriptKey'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_transcriptKey'?: "transcriptKey";
}
