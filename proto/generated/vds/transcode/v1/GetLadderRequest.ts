// Original file: vds/transcode/v1/transcode.proto


export interface GetLadderRequest {
  'videoId'?: (string);
}

export interface GetLadderRequestOut {
  'videoId': (string);
}
