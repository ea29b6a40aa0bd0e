// Original file: vds/captions/v1/captions.proto

import type { CueFix as _vds_captions_v1_CueFix, CueFixOut as _vds_captions_v1_CueFixOut } from '../../../vds/captions/v1/CueFix.ts';

export interface CorrectTrackRequest {
  'videoId'?: (string);
  'language'?: (string);
  /**
   * A WebVTT or SubRip file, at most 1 MiB; empty where one cue is fixed. INVALID_ARGUMENT names the line and the rule.
   */
  'file'?: (string);
  'fix'?: (_vds_captions_v1_CueFix | null);
  /**
   * Check, and change nothing.
   */
  'validateOnly'?: (boolean);
  /**
   * Who requests it and why; both are logged, and in catalog's audit.
   */
  'actor'?: (string);
  'reason'?: (string);
}

export interface CorrectTrackRequestOut {
  'videoId': (string);
  'language': (string);
  /**
   * A WebVTT or SubRip file, at most 1 MiB; empty where one cue is fixed. INVALID_ARGUMENT names the line and the rule.
   */
  'file': (string);
  'fix': (_vds_captions_v1_CueFixOut | null);
  /**
   * Check, and change nothing.
   */
  'validateOnly': (boolean);
  /**
   * Who requests it and why; both are logged, and in catalog's audit.
   */
  'actor': (string);
  'reason': (string);
}
