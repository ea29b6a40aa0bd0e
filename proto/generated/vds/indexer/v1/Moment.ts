// Original file: vds/indexer/v1/indexer.proto

import type { Item as _vds_indexer_v1_Item, ItemOut as _vds_indexer_v1_ItemOut } from '../../../vds/indexer/v1/Item.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What viewers would want to see again, such as a goal; plays with a token of this excerpt.
 */
export interface Moment {
  /**
   * Its video.
   */
  'item'?: (_vds_indexer_v1_Item | null);
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  /**
   * From the commentary; empty where nothing is said.
   */
  'title'?: (string);
  /**
   * BCP 47; of the title.
   */
  'languageCode'?: (string);
  /**
   * crowd, commentary, replay, score or cuts; the strongest first.
   */
  'reasons'?: (string)[];
  /**
   * 0 to 1; orders the moments of a video.
   */
  'score'?: (number | string);
}

/**
 * What viewers would want to see again, such as a goal; plays with a token of this excerpt.
 */
export interface MomentOut {
  /**
   * Its video.
   */
  'item': (_vds_indexer_v1_ItemOut | null);
  'startMs': (number);
  'endMs': (number);
  /**
   * From the commentary; empty where nothing is said.
   */
  'title': (string);
  /**
   * BCP 47; of the title.
   */
  'languageCode': (string);
  /**
   * crowd, commentary, replay, score or cuts; the strongest first.
   */
  'reasons': (string)[];
  /**
   * 0 to 1; orders the moments of a video.
   */
  'score': (number);
}
