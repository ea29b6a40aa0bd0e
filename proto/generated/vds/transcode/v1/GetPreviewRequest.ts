// Original file: vds/transcode/v1/transcode.proto


export interface GetPreviewRequest {
  'videoId'?: (string);
}

export interface GetPreviewRequestOut {
  'videoId': (string);
}
