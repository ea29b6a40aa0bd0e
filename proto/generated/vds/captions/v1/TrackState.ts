// Original file: vds/captions/v1/track.proto

import type { Track as _vds_captions_v1_Track, TrackOut as _vds_captions_v1_TrackOut } from '../../../vds/captions/v1/Track.ts';

/**
 * Every track of one attempt at one moment. A state with a higher revision replaces one with a lower.
 */
export interface TrackState {
  'revision'?: (number);
  /**
   * The spoken language first, then the translations in the operator's order.
   */
  'tracks'?: (_vds_captions_v1_Track)[];
  /**
   * text_key of the spoken language's track; an empty transcript has one too. Absent while there is no transcript.
   */
  'transcriptKey'?: (string);
  /**
   * Increases when the transcript's text changes; 0 while there is none.
   */
  'transcriptRevision'?: (number);
  '_transcriptKey'?: "transcriptKey";
}

/**
 * Every track of one attempt at one moment. A state with a higher revision replaces one with a lower.
 */
export interface TrackStateOut {
  'revision': (number);
  /**
   * The spoken language first, then the translations in the operator's order.
   */
  'tracks': (_vds_captions_v1_TrackOut)[];
  /**
   * text_key of the spoken language's track; an empty transcript has one too. Absent while there is no transcript.
   */
  'transcriptKey'?: (string);
  /**
   * Increases when the transcript's text changes; 0 while there is none.
   */
  'transcriptRevision': (number);
  '_transcriptKey'?: "transcriptKey";
}
