// Original file: vds/metadata/v1/metadata.proto


export interface GetMetadataRequest {
  'videoId'?: (string);
}

export interface GetMetadataRequestOut {
  'videoId': (string);
}
