// Original file: vds/indexer/v1/indexer.proto

import type { Watched as _vds_indexer_v1_Watched, WatchedOut as _vds_indexer_v1_WatchedOut } from '../../../vds/indexer/v1/Watched.ts';

export interface RecommendRequest {
  /**
   * The seeds: one video, or a viewer's history, newest first (at most 50).
   */
  'videoIds'?: (string)[];
  'limit'?: (number);
  /**
   * Instead of video_ids: a viewer's history with what was watched of each, newest first (at most 200, of which the
   * first 50 are seeds). None of them is recommended.
   */
  'history'?: (_vds_indexer_v1_Watched)[];
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * next_cursor of the page before, with the same seeds and filters.
   */
  'cursor'?: (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}

export interface RecommendRequestOut {
  /**
   * The seeds: one video, or a viewer's history, newest first (at most 50).
   */
  'videoIds': (string)[];
  'limit': (number);
  /**
   * Instead of video_ids: a viewer's history with what was watched of each, newest first (at most 200, of which the
   * first 50 are seeds). None of them is recommended.
   */
  'history': (_vds_indexer_v1_WatchedOut)[];
  'sport'?: (string);
  'category'?: (string);
  'publisherId'?: (string);
  /**
   * next_cursor of the page before, with the same seeds and filters.
   */
  'cursor': (string);
  '_sport'?: "sport";
  '_category'?: "category";
  '_publisherId'?: "publisherId";
}
