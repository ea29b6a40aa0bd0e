// Original file: vds/common/v1/worker_admin.proto

import type { VideoInUse as _vds_common_v1_VideoInUse, VideoInUseOut as _vds_common_v1_VideoInUseOut } from '../../../vds/common/v1/VideoInUse.ts';

export interface DescribeVideosRequest {
  /**
   * At most 200.
   */
  'videos'?: (_vds_common_v1_VideoInUse)[];
  /**
   * True: every object that the documents name must exist, not only the documents.
   */
  'objects'?: (boolean);
}

export interface DescribeVideosRequestOut {
  /**
   * At most 200.
   */
  'videos': (_vds_common_v1_VideoInUseOut)[];
  /**
   * True: every object that the documents name must exist, not only the documents.
   */
  'objects': (boolean);
}
