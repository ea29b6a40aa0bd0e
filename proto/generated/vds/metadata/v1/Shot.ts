// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Shot {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
}

export interface ShotOut {
  'startMs': (number);
  'endMs': (number);
}
