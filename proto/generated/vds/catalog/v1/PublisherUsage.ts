// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The daily values are today's.
 */
export interface PublisherUsage {
  'mediaMs'?: (number | string | Long);
  'fetchedBytes'?: (number | string | Long);
  'storedBytes'?: (number | string | Long);
}

/**
 * The daily values are today's.
 */
export interface PublisherUsageOut {
  'mediaMs': (number);
  'fetchedBytes': (number);
  'storedBytes': (number);
}
