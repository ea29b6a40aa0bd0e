// Original file: vds/catalog/v1/catalog.proto


export interface GetIndexableRequest {
  'videoId'?: (string);
}

export interface GetIndexableRequestOut {
  'videoId': (string);
}
