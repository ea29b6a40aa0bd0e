// Original file: vds/catalog/v1/catalog.proto

import type { PublisherVideo as _vds_catalog_v1_PublisherVideo, PublisherVideoOut as _vds_catalog_v1_PublisherVideoOut } from '../../../vds/catalog/v1/PublisherVideo.ts';

export interface ListPublisherVideosReply {
  'videos'?: (_vds_catalog_v1_PublisherVideo)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor'?: (string);
}

export interface ListPublisherVideosReplyOut {
  'videos': (_vds_catalog_v1_PublisherVideoOut)[];
  /**
   * Empty: there are no more.
   */
  'nextCursor': (string);
}
