// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';
import type { Reason as _vds_indexer_v1_Reason, ReasonOut as _vds_indexer_v1_ReasonOut } from '../../../vds/indexer/v1/Reason.ts';

export interface RecommendReply {
  'items'?: (_vds_indexer_v1_Item)[];
  /**
   * Why each of the items is there, in their order.
   */
  'reasons'?: (_vds_indexer_v1_Reason)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor'?: (string);
}

export interface RecommendReplyOut {
  'items': (_vds_indexer_v1_ItemOut)[];
  /**
   * Why each of the items is there, in their order.
   */
  'reasons': (_vds_indexer_v1_ReasonOut)[];
  /**
   * Empty: this is the last page.
   */
  'nextCursor': (string);
}
