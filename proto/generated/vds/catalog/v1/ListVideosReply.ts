// Original file: vds/catalog/v1/catalog.proto

import type { ListedVideo as _vds_catalog_v1_ListedVideo, ListedVideoOut as _vds_catalog_v1_ListedVideoOut } from '../../../vds/catalog/v1/ListedVideo.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListVideosReply {
  'videos'?: (_vds_catalog_v1_ListedVideo)[];
  /**
   * Up to this number the list is complete. Below after_version_seq: the database was restored to an earlier moment, and
   * the reader begins again.
   */
  'settledVersionSeq'?: (number | string | Long);
}

export interface ListVideosReplyOut {
  'videos': (_vds_catalog_v1_ListedVideoOut)[];
  /**
   * Up to this number the list is complete. Below after_version_seq: the database was restored to an earlier moment, and
   * the reader begins again.
   */
  'settledVersionSeq': (number);
}
