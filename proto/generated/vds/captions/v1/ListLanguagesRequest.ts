// Original file: vds/captions/v1/captions.proto


export interface ListLanguagesRequest {
  /**
   * Query the engines again instead of returning what they reported last.
   */
  'refresh'?: (boolean);
}

export interface ListLanguagesRequestOut {
  /**
   * Query the engines again instead of returning what they reported last.
   */
  'refresh': (boolean);
}
