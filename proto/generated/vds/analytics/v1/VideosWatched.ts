// Original file: vds/analytics/v1/analytics_events.proto

import type { VideoInterest as _vds_analytics_v1_VideoInterest, VideoInterestOut as _vds_analytics_v1_VideoInterestOut } from '../../../vds/analytics/v1/VideoInterest.ts';
import type { WatchedTogether as _vds_analytics_v1_WatchedTogether, WatchedTogetherOut as _vds_analytics_v1_WatchedTogetherOut } from '../../../vds/analytics/v1/WatchedTogether.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What viewers watch, computed from plays; at most 500 videos. Of each video that a list names the message has the
 * complete state, which replaces what was said of it before. Nothing in it is about fewer than three viewers, and no
 * viewer is named.
 */
export interface VideosWatched {
  /**
   * An earlier message never replaces a later one.
   */
  'computedAtMs'?: (number | string | Long);
  'interests'?: (_vds_analytics_v1_VideoInterest)[];
  /**
   * After this time an interest counts half.
   */
  'halfLifeMs'?: (number | string | Long);
  'together'?: (_vds_analytics_v1_WatchedTogether)[];
}

/**
 * What viewers watch, computed from plays; at most 500 videos. Of each video that a list names the message has the
 * complete state, which replaces what was said of it before. Nothing in it is about fewer than three viewers, and no
 * viewer is named.
 */
export interface VideosWatchedOut {
  /**
   * An earlier message never replaces a later one.
   */
  'computedAtMs': (number);
  'interests': (_vds_analytics_v1_VideoInterestOut)[];
  /**
   * After this time an interest counts half.
   */
  'halfLifeMs': (number);
  'together': (_vds_analytics_v1_WatchedTogetherOut)[];
}
