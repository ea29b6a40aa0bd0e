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
  /**
   * Key of the sentences of the English translation in the captions bucket; absent where there is none.
   */
  'englishKey'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_transcriptKey'?: "transcriptKey";
  '_englishKey'?: "englishKey";
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
  /**
   * Key of the sentences of the English translation in the captions bucket; absent where there is none.
   */
  'englishKey'?: (string);
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_transcriptKey'?: "transcriptKey";
  '_englishKey'?: "englishKey";
}
