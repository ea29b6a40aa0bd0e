// Original file: vds/catalog/v1/catalog.proto


export interface GetSourceAddressRequest {
  'videoId'?: (string);
  'attempt'?: (number);
}

export interface GetSourceAddressRequestOut {
  'videoId': (string);
  'attempt': (number);
}
