// Original file: vds/captions/v1/captions.proto


export interface Route {
  'source'?: (string);
  'target'?: (string);
  /**
   * Empty: there is no route.
   */
  'path'?: (string)[];
  /**
   * The first step is from the spoken language to English, by the speech engine; the others translate text.
   */
  'fromSpeech'?: (boolean);
}

export interface RouteOut {
  'source': (string);
  'target': (string);
  /**
   * Empty: there is no route.
   */
  'path': (string)[];
  /**
   * The first step is from the spoken language to English, by the speech engine; the others translate text.
   */
  'fromSpeech': (boolean);
}
