// Original file: vds/transcode/v1/transcode.proto


export interface GetEarlyPlaybackRequest {
  'videoId'?: (string);
}

export interface GetEarlyPlaybackRequestOut {
  'videoId': (string);
}
