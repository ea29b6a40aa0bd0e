// Original file: vds/indexer/v1/indexer.proto


export interface RefreshVideoRequest {
  'videoId'?: (string);
}

export interface RefreshVideoRequestOut {
  'videoId': (string);
}
