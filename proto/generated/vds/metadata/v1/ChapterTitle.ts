// Original file: vds/metadata/v1/metadata.proto


export interface ChapterTitle {
  /**
   * BCP 47.
   */
  'languageCode'?: (string);
  'title'?: (string);
}

export interface ChapterTitleOut {
  /**
   * BCP 47.
   */
  'languageCode': (string);
  'title': (string);
}
