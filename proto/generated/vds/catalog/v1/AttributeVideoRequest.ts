// Original file: vds/catalog/v1/catalog.proto


export interface AttributeVideoRequest {
  'videoId'?: (string);
}

export interface AttributeVideoRequestOut {
  'videoId': (string);
}
