// Original file: vds/catalog/v1/catalog.proto

import type { ReportedVideo as _vds_catalog_v1_ReportedVideo, ReportedVideoOut as _vds_catalog_v1_ReportedVideoOut } from '../../../vds/catalog/v1/ReportedVideo.ts';

export interface ReconcileRequest {
  /**
   * At most 200.
   */
  'videos'?: (_vds_catalog_v1_ReportedVideo)[];
  /**
   * False: only report.
   */
  'repair'?: (boolean);
  'actor'?: (string);
  'reason'?: (string);
  /**
   * Videos of which a document exists, but cannot be read, are repaired, too: they are processed again.
   */
  'repairUnreadable'?: (boolean);
}

export interface ReconcileRequestOut {
  /**
   * At most 200.
   */
  'videos': (_vds_catalog_v1_ReportedVideoOut)[];
  /**
   * False: only report.
   */
  'repair': (boolean);
  'actor': (string);
  'reason': (string);
  /**
   * Videos of which a document exists, but cannot be read, are repaired, too: they are processed again.
   */
  'repairUnreadable': (boolean);
}
