// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface IndexReport {
  'found'?: (boolean);
  'live'?: (boolean);
  'version'?: (number | string | Long);
}

export interface IndexReportOut {
  'found': (boolean);
  'live': (boolean);
  'version': (number);
}
