// Original file: vds/transcode/v1/transcode.proto

import type { Long } from '@grpc/proto-loader';

export interface EarlyRung {
  'name'?: (string);
  'width'?: (number);
  'height'?: (number);
  'frameRate'?: (number | string);
  /**
   * As in Rung, of what is finished.
   */
  'bandwidth'?: (number | string | Long);
  'averageBandwidth'?: (number | string | Long);
  'codecs'?: (string);
  /**
   * Below the attempt.
   */
  'playlist'?: (string);
}

export interface EarlyRungOut {
  'name': (string);
  'width': (number);
  'height': (number);
  'frameRate': (number);
  /**
   * As in Rung, of what is finished.
   */
  'bandwidth': (number);
  'averageBandwidth': (number);
  'codecs': (string);
  /**
   * Below the attempt.
   */
  'playlist': (string);
}
