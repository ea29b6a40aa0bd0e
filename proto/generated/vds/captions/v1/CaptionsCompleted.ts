// Original file: vds/captions/v1/captions_events.proto

import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from '../../../vds/captions/v1/TrackState.ts';

/**
 * Every track is ready, failed or skipped.
 */
export interface CaptionsCompleted {
  'videoId'?: (string);
  'attempt'?: (number);
  /**
   * The revision of the request.
   */
  'revision'?: (number);
  'state'?: (_vds_captions_v1_TrackState | null);
}

/**
 * Every track is ready, failed or skipped.
 */
export interface CaptionsCompletedOut {
  'videoId': (string);
  'attempt': (number);
  /**
   * The revision of the request.
   */
  'revision': (number);
  'state': (_vds_captions_v1_TrackStateOut | null);
}
