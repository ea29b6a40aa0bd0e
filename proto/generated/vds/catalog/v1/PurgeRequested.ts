// Original file: vds/catalog/v1/catalog_events.proto

import type { PurgeScope as _vds_common_v1_PurgeScope, PurgeScopeOut as _vds_common_v1_PurgeScopeOut } from '../../../vds/common/v1/PurgeScope.ts';

/**
 * Asks every owner named to remove what it keeps. Said again until each has answered.
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
 * Asks every owner named to remove what it keeps. Said again until each has answered.
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
