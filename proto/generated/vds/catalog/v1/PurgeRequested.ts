// Original file: vds/catalog/v1/catalog_events.proto

import type { PurgeScope as _vds_common_v1_PurgeScope, PurgeScopeOut as _vds_common_v1_PurgeScopeOut } from '../../../vds/common/v1/PurgeScope.ts';
import type { KeysInUse as _vds_catalog_v1_KeysInUse, KeysInUseOut as _vds_catalog_v1_KeysInUseOut } from '../../../vds/catalog/v1/KeysInUse.ts';

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
  /**
   * Of this purge: its confirmation repeats it. A later purge of the same scope has another one.
   */
  'requestId'?: (string);
  /**
   * What is in use of the video. Nothing of it is removed, whatever the owner's own rows say, unless everything is
   * (PURGE_SCOPE_VIDEO).
   */
  'inUse'?: (_vds_catalog_v1_KeysInUse | null);
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
  /**
   * Of this purge: its confirmation repeats it. A later purge of the same scope has another one.
   */
  'requestId': (string);
  /**
   * What is in use of the video. Nothing of it is removed, whatever the owner's own rows say, unless everything is
   * (PURGE_SCOPE_VIDEO).
   */
  'inUse': (_vds_catalog_v1_KeysInUseOut | null);
}
