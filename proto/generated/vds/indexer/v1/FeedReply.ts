// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';

export interface FeedReply {
  'items'?: (_vds_indexer_v1_Item)[];
  'nextCursor'?: (string);
}

export interface FeedReplyOut {
  'items': (_vds_indexer_v1_ItemOut)[];
  'nextCursor': (string);
}
