// Original file: vds/captions/v1/captions.proto


export interface GetTracksRequest {
  'videoId'?: (string);
}

export interface GetTracksRequestOut {
  'videoId': (string);
}
