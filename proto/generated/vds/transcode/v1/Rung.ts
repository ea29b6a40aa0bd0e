// Original file: vds/transcode/v1/transcode.proto

import type { Long } from '@grpc/proto-loader';

export interface Rung {
  'name'?: (string);
  'width'?: (number);
  'height'?: (number);
  'frameRate'?: (number | string);
  /**
   * Bits per second, measured: the peak over any segment, and the mean.
   */
  'bandwidth'?: (number | string | Long);
  'averageBandwidth'?: (number | string | Long);
  /**
   * RFC 6381.
   */
  'codecs'?: (string);
  'playlistKey'?: (string);
}

export interface RungOut {
  'name': (string);
  'width': (number);
  'height': (number);
  'frameRate': (number);
  /**
   * Bits per second, measured: the peak over any segment, and the mean.
   */
  'bandwidth': (number);
  'averageBandwidth': (number);
  /**
   * RFC 6381.
   */
  'codecs': (string);
  'playlistKey': (string);
}
