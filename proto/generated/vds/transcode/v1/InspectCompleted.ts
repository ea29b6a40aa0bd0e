// Original file: vds/transcode/v1/transcode_events.proto

import type { SourceWarning as _vds_common_v1_SourceWarning, SourceWarningOut as _vds_common_v1_SourceWarningOut } from '../../../vds/common/v1/SourceWarning.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The source is a video that we can encode.
 */
export interface InspectCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  'durationMs'?: (number | string | Long);
  'hasAudio'?: (boolean);
  'warnings'?: (_vds_common_v1_SourceWarning)[];
}

/**
 * The source is a video that we can encode.
 */
export interface InspectCompletedOut {
  'videoId': (string);
  'attempt': (number);
  'durationMs': (number);
  'hasAudio': (boolean);
  'warnings': (_vds_common_v1_SourceWarningOut)[];
}
