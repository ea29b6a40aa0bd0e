// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

export interface IndexStatus {
  'index'?: (string);
  'mappingVersion'?: (number);
  'live'?: (number | string | Long);
  'tombstones'?: (number | string | Long);
  'bytes'?: (number | string | Long);
}

export interface IndexStatusOut {
  'index': (string);
  'mappingVersion': (number);
  'live': (number);
  'tombstones': (number);
  'bytes': (number);
}
