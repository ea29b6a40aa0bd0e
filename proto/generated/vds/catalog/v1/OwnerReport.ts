// Original file: vds/catalog/v1/catalog.proto

import type { VideoReport as _vds_common_v1_VideoReport, VideoReportOut as _vds_common_v1_VideoReportOut } from '../../../vds/common/v1/VideoReport.ts';

export interface OwnerReport {
  'owner'?: (string);
  'report'?: (_vds_common_v1_VideoReport | null);
}

export interface OwnerReportOut {
  'owner': (string);
  'report': (_vds_common_v1_VideoReportOut | null);
}
