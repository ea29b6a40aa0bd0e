// Original file: vds/transcode/v1/transcode.proto

import type { Long } from '@grpc/proto-loader';

export interface AudioRendition {
  'bandwidth'?: (number | string | Long);
  'codecs'?: (string);
  'playlistKey'?: (string);
}

export interface AudioRenditionOut {
  'bandwidth': (number);
  'codecs': (string);
  'playlistKey': (string);
}
