// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

export interface IndexedVideo {
  'videoId'?: (string);
  'found'?: (boolean);
  'live'?: (boolean);
  'version'?: (number | string | Long);
  /**
   * The document, as JSON.
   */
  'document'?: (string);
}

export interface IndexedVideoOut {
  'videoId': (string);
  'found': (boolean);
  'live': (boolean);
  'version': (number);
  /**
   * The document, as JSON.
   */
  'document': (string);
}
