// Original file: vds/catalog/v1/catalog.proto

import type { DailyCount as _vds_catalog_v1_DailyCount, DailyCountOut as _vds_catalog_v1_DailyCountOut } from '../../../vds/catalog/v1/DailyCount.ts';

export interface CreateVideoReply {
  /**
   * False: the day's budget was spent, and no video was created.
   */
  'accepted'?: (boolean);
  'daily'?: (_vds_catalog_v1_DailyCount | null);
}

export interface CreateVideoReplyOut {
  /**
   * False: the day's budget was spent, and no video was created.
   */
  'accepted': (boolean);
  'daily': (_vds_catalog_v1_DailyCountOut | null);
}
