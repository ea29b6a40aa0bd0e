// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface MonthlyUsage {
  'publisherId'?: (string);
  /**
   * Of the videos that were inspected in the month, every attempt.
   */
  'mediaMs'?: (number | string | Long);
  'fetchedBytes'?: (number | string | Long);
  /**
   * At the end of the month, or now.
   */
  'storedBytes'?: (number | string | Long);
}

export interface MonthlyUsageOut {
  'publisherId': (string);
  /**
   * Of the videos that were inspected in the month, every attempt.
   */
  'mediaMs': (number);
  'fetchedBytes': (number);
  /**
   * At the end of the month, or now.
   */
  'storedBytes': (number);
}
