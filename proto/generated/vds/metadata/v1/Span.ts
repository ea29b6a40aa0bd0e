// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface Span {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
}

export interface SpanOut {
  'startMs': (number);
  'endMs': (number);
}
