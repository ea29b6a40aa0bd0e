// Original file: vds/captions/v1/captions.proto

import type { CaptionCue as _vds_captions_v1_CaptionCue, CaptionCueOut as _vds_captions_v1_CaptionCueOut } from '../../../vds/captions/v1/CaptionCue.ts';

export interface Transcript {
  'videoId'?: (string);
  'languageCode'?: (string);
  /**
   * As players show it: that of a machine translation says so.
   */
  'name'?: (string);
  /**
   * "captions": in the spoken language; "subtitles": in another one.
   */
  'kind'?: (string);
  /**
   * Those that are ready, the spoken one first; none: nothing is said, or nothing is ready yet.
   */
  'languages'?: (string)[];
  /**
   * At most 2,000, in the order of their beginnings.
   */
  'cues'?: (_vds_captions_v1_CaptionCue)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor'?: (string);
}

export interface TranscriptOut {
  'videoId': (string);
  'languageCode': (string);
  /**
   * As players show it: that of a machine translation says so.
   */
  'name': (string);
  /**
   * "captions": in the spoken language; "subtitles": in another one.
   */
  'kind': (string);
  /**
   * Those that are ready, the spoken one first; none: nothing is said, or nothing is ready yet.
   */
  'languages': (string)[];
  /**
   * At most 2,000, in the order of their beginnings.
   */
  'cues': (_vds_captions_v1_CaptionCueOut)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor': (string);
}
