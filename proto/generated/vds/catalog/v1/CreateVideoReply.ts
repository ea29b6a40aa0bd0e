// Original file: vds/catalog/v1/catalog.proto

import type { DailyCount as _vds_catalog_v1_DailyCount, DailyCountOut as _vds_catalog_v1_DailyCountOut } from '../../../vds/catalog/v1/DailyCount.ts';

export interface CreateVideoReply {
  /**
   * False: a budget of the day was spent, and no video was created.
   */
  'accepted'?: (boolean);
  'daily'?: (_vds_catalog_v1_DailyCount | null);
  /**
   * If not accepted: requests, media_minutes or fetched_bytes.
   */
  'spentBudget'?: (string);
  /**
   * The accepted video: an earlier one if its idempotency key was sent again.
   */
  'id'?: (string);
}

export interface CreateVideoReplyOut {
  /**
   * False: a budget of the day was spent, and no video was created.
   */
  'accepted': (boolean);
  'daily': (_vds_catalog_v1_DailyCountOut | null);
  /**
   * If not accepted: requests, media_minutes or fetched_bytes.
   */
  'spentBudget': (string);
  /**
   * The accepted video: an earlier one if its idempotency key was sent again.
   */
  'id': (string);
}
