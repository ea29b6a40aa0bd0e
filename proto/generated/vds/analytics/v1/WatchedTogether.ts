// Original file: vds/analytics/v1/analytics_events.proto

import type { Companion as _vds_analytics_v1_Companion, CompanionOut as _vds_analytics_v1_CompanionOut } from '../../../vds/analytics/v1/Companion.ts';

export interface WatchedTogether {
  'videoId'?: (string);
  /**
   * Best first, at most 20.
   */
  'companions'?: (_vds_analytics_v1_Companion)[];
}

export interface WatchedTogetherOut {
  'videoId': (string);
  /**
   * Best first, at most 20.
   */
  'companions': (_vds_analytics_v1_CompanionOut)[];
}
