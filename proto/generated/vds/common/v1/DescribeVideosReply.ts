// Original file: vds/common/v1/worker_admin.proto

import type { VideoReport as _vds_common_v1_VideoReport, VideoReportOut as _vds_common_v1_VideoReportOut } from '../../../vds/common/v1/VideoReport.ts';

export interface DescribeVideosReply {
  /**
   * In the order of the request.
   */
  'videos'?: (_vds_common_v1_VideoReport)[];
}

export interface DescribeVideosReplyOut {
  /**
   * In the order of the request.
   */
  'videos': (_vds_common_v1_VideoReportOut)[];
}
