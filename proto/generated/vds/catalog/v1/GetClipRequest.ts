// Original file: vds/catalog/v1/catalog.proto


export interface GetClipRequest {
  'videoId'?: (string);
}

export interface GetClipRequestOut {
  'videoId': (string);
}
