// Original file: vds/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

export interface PlaybackToken {
  'token'?: (string);
  'expiresAtMs'?: (number | string | Long);
}

export interface PlaybackTokenOut {
  'token': (string);
  'expiresAtMs': (number);
}
