// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';
import type { Snippet as _vds_indexer_v1_Snippet, SnippetOut as _vds_indexer_v1_SnippetOut } from '../../../vds/indexer/v1/Snippet.ts';

export interface Hit {
  'item'?: (_vds_indexer_v1_Item | null);
  'score'?: (number | string);
  'snippets'?: (_vds_indexer_v1_Snippet)[];
}

export interface HitOut {
  'item': (_vds_indexer_v1_ItemOut | null);
  'score': (number);
  'snippets': (_vds_indexer_v1_SnippetOut)[];
}
