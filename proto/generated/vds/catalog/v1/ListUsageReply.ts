// Original file: vds/catalog/v1/catalog.proto

import type { MonthlyUsage as _vds_catalog_v1_MonthlyUsage, MonthlyUsageOut as _vds_catalog_v1_MonthlyUsageOut } from '../../../vds/catalog/v1/MonthlyUsage.ts';

/**
 * At most 1,000 publishers; more follow while it is full. Those that used nothing are left out.
 */
export interface ListUsageReply {
  'publishers'?: (_vds_catalog_v1_MonthlyUsage)[];
}

/**
 * At most 1,000 publishers; more follow while it is full. Those that used nothing are left out.
 */
export interface ListUsageReplyOut {
  'publishers': (_vds_catalog_v1_MonthlyUsageOut)[];
}
