// Original file: vds/captions/v1/captions.proto


export interface ListLanguagesRequest {
  /**
   * Look at the engines again instead of telling what was found last.
   */
  'refresh'?: (boolean);
}

export interface ListLanguagesRequestOut {
  /**
   * Look at the engines again instead of telling what was found last.
   */
  'refresh': (boolean);
}
