// Original file: vds/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface MintPlaybackTokenRequest {
  'playbackId'?: (string);
  /**
   * Length of the video; the token lives max(6 h, twice this), at most 24 h.
   */
  'durationMs'?: (number | string | Long);
}

export interface MintPlaybackTokenRequestOut {
  'playbackId': (string);
  /**
   * Length of the video; the token lives max(6 h, twice this), at most 24 h.
   */
  'durationMs': (number);
}
