// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface CatalogVideoInUse {
  'videoId'?: (string);
  'versionSeq'?: (number | string | Long);
  /**
   * Keys of documents that are in use, by the owner of their bucket.
   */
  'sourceKey'?: (string);
  'ladderKey'?: (string);
  'captionKeys'?: (string)[];
  /**
   * The video's version.
   */
  'version'?: (number | string | Long);
}

export interface CatalogVideoInUseOut {
  'videoId': (string);
  'versionSeq': (number);
  /**
   * Keys of documents that are in use, by the owner of their bucket.
   */
  'sourceKey': (string);
  'ladderKey': (string);
  'captionKeys': (string)[];
  /**
   * The video's version.
   */
  'version': (number);
}
