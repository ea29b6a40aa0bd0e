// Original file: vds/captions/v1/captions.proto

import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from '../../../vds/captions/v1/TrackState.ts';

export interface Tracks {
  'videoId'?: (string);
  'attempt'?: (number);
  'state'?: (_vds_captions_v1_TrackState | null);
  /**
   * RFC 3339, UTC.
   */
  'updatedAt'?: (string);
}

export interface TracksOut {
  'videoId': (string);
  'attempt': (number);
  'state': (_vds_captions_v1_TrackStateOut | null);
  /**
   * RFC 3339, UTC.
   */
  'updatedAt': (string);
}
