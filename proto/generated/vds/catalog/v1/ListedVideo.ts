// Original file: vds/catalog/v1/catalog.proto

import type { VideoState as _vds_catalog_v1_VideoState, VideoStateOut as _vds_catalog_v1_VideoStateOut } from '../../../vds/catalog/v1/VideoState.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListedVideo {
  'videoId'?: (string);
  'state'?: (_vds_catalog_v1_VideoState);
  'version'?: (number | string | Long);
  'attempt'?: (number);
  /**
   * Pass the last one as after_version_seq.
   */
  'versionSeq'?: (number | string | Long);
}

export interface ListedVideoOut {
  'videoId': (string);
  'state': (_vds_catalog_v1_VideoStateOut);
  'version': (number);
  'attempt': (number);
  /**
   * Pass the last one as after_version_seq.
   */
  'versionSeq': (number);
}
