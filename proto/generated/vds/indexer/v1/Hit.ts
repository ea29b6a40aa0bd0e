// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';
import type { Snippet as _vds_indexer_v1_Snippet, SnippetOut as _vds_indexer_v1_SnippetOut } from '../../../vds/indexer/v1/Snippet.ts';
import type { Long } from '@grpc/proto-loader';

export interface Hit {
  'item'?: (_vds_indexer_v1_Item | null);
  /**
   * Orders the hits of one search; that of another is not comparable.
   */
  'score'?: (number | string);
  /**
   * Of words; none for a video that was found by meaning alone.
   */
  'snippets'?: (_vds_indexer_v1_Snippet)[];
  /**
   * Where the passage that is nearest in meaning begins; absent: the video was found by its words, or as a whole.
   */
  'atMs'?: (number | string | Long);
  '_atMs'?: "atMs";
}

export interface HitOut {
  'item': (_vds_indexer_v1_ItemOut | null);
  /**
   * Orders the hits of one search; that of another is not comparable.
   */
  'score': (number);
  /**
   * Of words; none for a video that was found by meaning alone.
   */
  'snippets': (_vds_indexer_v1_SnippetOut)[];
  /**
   * Where the passage that is nearest in meaning begins; absent: the video was found by its words, or as a whole.
   */
  'atMs'?: (number);
  '_atMs'?: "atMs";
}
