// Original file: vds/captions/v1/captions.proto

import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from '../../../vds/captions/v1/Track.ts';
import type { CaptionCue as _vds_captions_v1_CaptionCue, CaptionCueOut as _vds_captions_v1_CaptionCueOut } from '../../../vds/captions/v1/CaptionCue.ts';

export interface TrackCues {
  'videoId'?: (string);
  /**
   * The revision of the state that was read.
   */
  'revision'?: (number);
  'track'?: (_vds_captions_v1_Track | null);
  'cues'?: (_vds_captions_v1_CaptionCue)[];
}

export interface TrackCuesOut {
  'videoId': (string);
  /**
   * The revision of the state that was read.
   */
  'revision': (number);
  'track': (_vds_captions_v1_TrackOut | null);
  'cues': (_vds_captions_v1_CaptionCueOut)[];
}
