// Original file: vds/catalog/v1/catalog_events.proto

import type { PurgeScope as _vds_common_v1_PurgeScope, PurgeScopeOut as _vds_common_v1_PurgeScopeOut } from '../../../vds/common/v1/PurgeScope.ts';

/**
 * Requests every owner named to purge its stores. Republished until each has confirmed.
 */
export interface PurgeRequested {
  'videoId'?: (string);
  'scope'?: (_vds_common_v1_PurgeScope);
  'keepAttempt'?: (number);
  /**
   * Services that have not confirmed yet; the others ignore the message.
   */
  'owners'?: (string)[];
}

/**
 * Requests every owner named to purge its stores. Republished until each has confirmed.
 */
export interface PurgeRequestedOut {
  'videoId': (string);
  'scope': (_vds_common_v1_PurgeScopeOut);
  'keepAttempt': (number);
  /**
   * Services that have not confirmed yet; the others ignore the message.
   */
  'owners': (string)[];
}
