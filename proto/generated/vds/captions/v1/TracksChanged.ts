// Original file: vds/captions/v1/captions_events.proto

import type { TrackState as _vds_captions_v1_TrackState, TrackStateOut as _vds_captions_v1_TrackStateOut } from '../../../vds/captions/v1/TrackState.ts';

/**
 * A track was listed, became ready, failed or was skipped. Published while the stage runs and after it, as by a rerun.
 */
export interface TracksChanged {
  'videoId'?: (string);
  'attempt'?: (number);
  'state'?: (_vds_captions_v1_TrackState | null);
}

/**
 * A track was listed, became ready, failed or was skipped. Published while the stage runs and after it, as by a rerun.
 */
export interface TracksChangedOut {
  'videoId': (string);
  'attempt': (number);
  'state': (_vds_captions_v1_TrackStateOut | null);
}
