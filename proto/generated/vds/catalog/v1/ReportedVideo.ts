// Original file: vds/catalog/v1/catalog.proto

import type { OwnerReport as _vds_catalog_v1_OwnerReport, OwnerReportOut as _vds_catalog_v1_OwnerReportOut } from '../../../vds/catalog/v1/OwnerReport.ts';
import type { IndexReport as _vds_catalog_v1_IndexReport, IndexReportOut as _vds_catalog_v1_IndexReportOut } from '../../../vds/catalog/v1/IndexReport.ts';
import type { Long } from '@grpc/proto-loader';

export interface ReportedVideo {
  'videoId'?: (string);
  'owners'?: (_vds_catalog_v1_OwnerReport)[];
  /**
   * Absent: the index was not asked.
   */
  'index'?: (_vds_catalog_v1_IndexReport | null);
  /**
   * Catalog's version before the services were asked; 0: catalog did not know the video.
   */
  'version'?: (number | string | Long);
  '_index'?: "index";
}

export interface ReportedVideoOut {
  'videoId': (string);
  'owners': (_vds_catalog_v1_OwnerReportOut)[];
  /**
   * Absent: the index was not asked.
   */
  'index'?: (_vds_catalog_v1_IndexReportOut | null);
  /**
   * Catalog's version before the services were asked; 0: catalog did not know the video.
   */
  'version': (number);
  '_index'?: "index";
}
