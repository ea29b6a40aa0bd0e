// Original file: vds/captions/v1/captions.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Plain text: nothing in it is markup.
 */
export interface CaptionCue {
  /**
   * From the start of the video.
   */
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  'lines'?: (string)[];
}

/**
 * Plain text: nothing in it is markup.
 */
export interface CaptionCueOut {
  /**
   * From the start of the video.
   */
  'startMs': (number);
  'endMs': (number);
  'lines': (string)[];
}
