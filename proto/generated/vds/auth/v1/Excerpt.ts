// Original file: vds/auth/v1/auth.proto

import type { Long } from '@grpc/proto-loader';

/**
 * A part of a video, of 1 s to 10 minutes, in milliseconds from the video's beginning.
 */
export interface Excerpt {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
}

/**
 * A part of a video, of 1 s to 10 minutes, in milliseconds from the video's beginning.
 */
export interface ExcerptOut {
  'startMs': (number);
  'endMs': (number);
}
