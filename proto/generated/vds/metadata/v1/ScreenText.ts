// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

export interface ScreenText {
  'text'?: (string);
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  'confidence'?: (number | string);
}

export interface ScreenTextOut {
  'text': (string);
  'startMs': (number);
  'endMs': (number);
  'confidence': (number);
}
