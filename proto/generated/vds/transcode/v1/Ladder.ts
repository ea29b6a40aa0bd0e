// Original file: vds/transcode/v1/transcode.proto

import type { Rung as _vds_transcode_v1_Rung, RungOut as _vds_transcode_v1_RungOut } from '../../../vds/transcode/v1/Rung.ts';
import type { AudioRendition as _vds_transcode_v1_AudioRendition, AudioRenditionOut as _vds_transcode_v1_AudioRenditionOut } from '../../../vds/transcode/v1/AudioRendition.ts';
import type { Long } from '@grpc/proto-loader';

export interface Ladder {
  'videoId'?: (string);
  'attempt'?: (number);
  'durationMs'?: (number | string | Long);
  'ladderKey'?: (string);
  'thumbnailKey'?: (string);
  'rungs'?: (_vds_transcode_v1_Rung)[];
  /**
   * What viewers hear unless they choose another one.
   */
  'audio'?: (_vds_transcode_v1_AudioRendition | null);
  'alternates'?: (_vds_transcode_v1_AudioRendition)[];
  /**
   * The partner's own pictures, if they are a variant beside the rungs, and their VIDEO-RANGE.
   */
  'original'?: (_vds_transcode_v1_Rung | null);
  'originalRange'?: (string);
  'chapters'?: (number);
  '_audio'?: "audio";
  '_original'?: "original";
}

export interface LadderOut {
  'videoId': (string);
  'attempt': (number);
  'durationMs': (number);
  'ladderKey': (string);
  'thumbnailKey': (string);
  'rungs': (_vds_transcode_v1_RungOut)[];
  /**
   * What viewers hear unless they choose another one.
   */
  'audio'?: (_vds_transcode_v1_AudioRenditionOut | null);
  'alternates': (_vds_transcode_v1_AudioRenditionOut)[];
  /**
   * The partner's own pictures, if they are a variant beside the rungs, and their VIDEO-RANGE.
   */
  'original'?: (_vds_transcode_v1_RungOut | null);
  'originalRange': (string);
  'chapters': (number);
  '_audio'?: "audio";
  '_original'?: "original";
}
