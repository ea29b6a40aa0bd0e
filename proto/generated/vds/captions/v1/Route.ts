// Original file: vds/captions/v1/captions.proto


export interface Route {
  'source'?: (string);
  'target'?: (string);
  /**
   * Empty: there is no route.
   */
  'path'?: (string)[];
}

export interface RouteOut {
  'source': (string);
  'target': (string);
  /**
   * Empty: there is no route.
   */
  'path': (string)[];
}
