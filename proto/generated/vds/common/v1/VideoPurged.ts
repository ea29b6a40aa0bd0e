// Original file: vds/common/v1/stage_events.proto

import type { PurgeScope as _vds_common_v1_PurgeScope, PurgeScopeOut as _vds_common_v1_PurgeScopeOut } from '../../../vds/common/v1/PurgeScope.ts';

/**
 * An owner's confirmation of catalog.purge.requested: it listed its stores and found nothing left in that scope.
 */
export interface VideoPurged {
  'videoId'?: (string);
  'scope'?: (_vds_common_v1_PurgeScope);
  'keepAttempt'?: (number);
  /**
   * That of the request.
   */
  'requestId'?: (string);
}

/**
 * An owner's confirmation of catalog.purge.requested: it listed its stores and found nothing left in that scope.
 */
export interface VideoPurgedOut {
  'videoId': (string);
  'scope': (_vds_common_v1_PurgeScopeOut);
  'keepAttempt': (number);
  /**
   * That of the request.
   */
  'requestId': (string);
}
