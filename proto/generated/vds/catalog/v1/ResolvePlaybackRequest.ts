// Original file: vds/catalog/v1/catalog.proto


export interface ResolvePlaybackRequest {
  'playbackId'?: (string);
}

export interface ResolvePlaybackRequestOut {
  'playbackId': (string);
}
