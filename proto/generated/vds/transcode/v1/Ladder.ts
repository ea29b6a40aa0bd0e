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
  'audio'?: (_vds_transcode_v1_AudioRendition | null);
  '_audio'?: "audio";
}

export interface LadderOut {
  'videoId': (string);
  'attempt': (number);
  'durationMs': (number);
  'ladderKey': (string);
  'thumbnailKey': (string);
  'rungs': (_vds_transcode_v1_RungOut)[];
  'audio'?: (_vds_transcode_v1_AudioRenditionOut | null);
  '_audio'?: "audio";
}
