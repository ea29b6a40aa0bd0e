// Original file: vds/indexer/v1/indexer.proto

import type { Hit as _vds_indexer_v1_Hit, HitOut as _vds_indexer_v1_HitOut } from '../../../vds/indexer/v1/Hit.ts';
import type { Long } from '@grpc/proto-loader';

export interface SearchReply {
  'hits'?: (_vds_indexer_v1_Hit)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor'?: (string);
  /**
   * At most 1,000: the pages of a search have its first 1,000 hits.
   */
  'total'?: (number | string | Long);
}

export interface SearchReplyOut {
  'hits': (_vds_indexer_v1_HitOut)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor': (string);
  /**
   * At most 1,000: the pages of a search have its first 1,000 hits.
   */
  'total': (number);
}
