// Original file: vds/catalog/v1/catalog.proto

import type { Clip as _vds_catalog_v1_Clip, ClipOut as _vds_catalog_v1_ClipOut } from '../../../vds/catalog/v1/Clip.ts';
import type { Long } from '@grpc/proto-loader';

export interface Indexable {
  'videoId'?: (string);
  'version'?: (number | string | Long);
  /**
   * False: write a tombstone.
   */
  'live'?: (boolean);
  'clip'?: (_vds_catalog_v1_Clip | null);
  '_clip'?: "clip";
}

export interface IndexableOut {
  'videoId': (string);
  'version': (number);
  /**
   * False: write a tombstone.
   */
  'live': (boolean);
  'clip'?: (_vds_catalog_v1_ClipOut | null);
  '_clip'?: "clip";
}
