// Original file: vds/catalog/v1/catalog.proto

import type { CatalogVideoInUse as _vds_catalog_v1_CatalogVideoInUse, CatalogVideoInUseOut as _vds_catalog_v1_CatalogVideoInUseOut } from '../../../vds/catalog/v1/CatalogVideoInUse.ts';
import type { Long } from '@grpc/proto-loader';

export interface ListVideosInUseReply {
  'videos'?: (_vds_catalog_v1_CatalogVideoInUse)[];
  /**
   * As in ListVideosReply.
   */
  'settledVersionSeq'?: (number | string | Long);
}

export interface ListVideosInUseReplyOut {
  'videos': (_vds_catalog_v1_CatalogVideoInUseOut)[];
  /**
   * As in ListVideosReply.
   */
  'settledVersionSeq': (number);
}
