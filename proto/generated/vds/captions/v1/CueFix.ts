// Original file: vds/captions/v1/captions.proto

import type { Long } from '@grpc/proto-loader';

export interface CueFix {
  /**
   * From 1; 0 where at_ms says which cue.
   */
  'number'?: (number);
  /**
   * A time at which the cue is shown.
   */
  'atMs'?: (number | string | Long);
  /**
   * Broken into two lines where it is wider than one.
   */
  'text'?: (string);
}

export interface CueFixOut {
  /**
   * From 1; 0 where at_ms says which cue.
   */
  'number': (number);
  /**
   * A time at which the cue is shown.
   */
  'atMs': (number);
  /**
   * Broken into two lines where it is wider than one.
   */
  'text': (string);
}
