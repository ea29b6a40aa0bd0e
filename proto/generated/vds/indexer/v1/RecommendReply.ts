// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';

export interface RecommendReply {
  'items'?: (_vds_indexer_v1_Item)[];
}

export interface RecommendReplyOut {
  'items': (_vds_indexer_v1_ItemOut)[];
}
