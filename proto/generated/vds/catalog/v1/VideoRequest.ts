// Original file: vds/catalog/v1/catalog.proto


export interface VideoRequest {
  'id'?: (string);
  'publisherId'?: (string);
}

export interface VideoRequestOut {
  'id': (string);
  'publisherId': (string);
}
