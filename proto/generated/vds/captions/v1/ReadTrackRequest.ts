// Original file: vds/captions/v1/captions.proto


export interface ReadTrackRequest {
  'videoId'?: (string);
  'language'?: (string);
}

export interface ReadTrackRequestOut {
  'videoId': (string);
  'language': (string);
}
