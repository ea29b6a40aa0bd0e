// Original file: vds/catalog/v1/catalog.proto

import type { PublisherUsage as _vds_catalog_v1_PublisherUsage, PublisherUsageOut as _vds_catalog_v1_PublisherUsageOut } from '../../../vds/catalog/v1/PublisherUsage.ts';
import type { Long } from '@grpc/proto-loader';

export interface Budgets {
  'publisherId'?: (string);
  /**
   * A day (UTC): once it is spent no video is accepted until the next. Absent: none.
   */
  'mediaMinutes'?: (number | string | Long);
  'fetchedBytes'?: (number | string | Long);
  /**
   * Once it is spent a video fails before it is encoded.
   */
  'storedBytes'?: (number | string | Long);
  'used'?: (_vds_catalog_v1_PublisherUsage | null);
  /**
   * Whole seconds until 00:00 UTC.
   */
  'resetsInSeconds'?: (number);
  /**
   * The budgets as the audit shows them.
   */
  'description'?: (string);
  '_mediaMinutes'?: "mediaMinutes";
  '_fetchedBytes'?: "fetchedBytes";
  '_storedBytes'?: "storedBytes";
}

export interface BudgetsOut {
  'publisherId': (string);
  /**
   * A day (UTC): once it is spent no video is accepted until the next. Absent: none.
   */
  'mediaMinutes'?: (number);
  'fetchedBytes'?: (number);
  /**
   * Once it is spent a video fails before it is encoded.
   */
  'storedBytes'?: (number);
  'used': (_vds_catalog_v1_PublisherUsageOut | null);
  /**
   * Whole seconds until 00:00 UTC.
   */
  'resetsInSeconds': (number);
  /**
   * The budgets as the audit shows them.
   */
  'description': (string);
  '_mediaMinutes'?: "mediaMinutes";
  '_fetchedBytes'?: "fetchedBytes";
  '_storedBytes'?: "storedBytes";
}
