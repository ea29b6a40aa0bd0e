// Original file: vds/catalog/v1/catalog.proto

import type { ListedVideo as _vds_catalog_v1_ListedVideo, ListedVideoOut as _vds_catalog_v1_ListedVideoOut } from '../../../vds/catalog/v1/ListedVideo.ts';

export interface ListVideosReply {
  'videos'?: (_vds_catalog_v1_ListedVideo)[];
}

export interface ListVideosReplyOut {
  'videos': (_vds_catalog_v1_ListedVideoOut)[];
}
