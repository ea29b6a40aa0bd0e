// Original file: vds/catalog/v1/catalog.proto

import type { Finding as _vds_catalog_v1_Finding, FindingOut as _vds_catalog_v1_FindingOut } from '../../../vds/catalog/v1/Finding.ts';

export interface ReconcileReply {
  'findings'?: (_vds_catalog_v1_Finding)[];
  /**
   * Videos that have changed since the services were asked: nothing is found of them, and nothing repaired.
   */
  'changedVideoIds'?: (string)[];
}

export interface ReconcileReplyOut {
  'findings': (_vds_catalog_v1_FindingOut)[];
  /**
   * Videos that have changed since the services were asked: nothing is found of them, and nothing repaired.
   */
  'changedVideoIds': (string)[];
}
