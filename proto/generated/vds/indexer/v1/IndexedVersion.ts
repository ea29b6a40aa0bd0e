// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

export interface IndexedVersion {
  'videoId'?: (string);
  'live'?: (boolean);
  /**
   * Catalog's version that the document was written with.
   */
  'version'?: (number | string | Long);
}

export interface IndexedVersionOut {
  'videoId': (string);
  'live': (boolean);
  /**
   * Catalog's version that the document was written with.
   */
  'version': (number);
}
