// Original file: vds/auth/v1/auth.proto


export interface MintPreviewTokenRequest {
  'playbackId'?: (string);
  'videoId'?: (string);
  'actor'?: (string);
  'reason'?: (string);
}

export interface MintPreviewTokenRequestOut {
  'playbackId': (string);
  'videoId': (string);
  'actor': (string);
  'reason': (string);
}
