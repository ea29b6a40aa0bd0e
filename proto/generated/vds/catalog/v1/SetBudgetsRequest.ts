// Original file: vds/catalog/v1/catalog.proto

import type { Long } from '@grpc/proto-loader';

export interface SetBudgetsRequest {
  'publisherId'?: (string);
  /**
   * As in Budgets; 0: none from now on. What is left out stays.
   */
  'mediaMinutes'?: (number | string | Long);
  'fetchedBytes'?: (number | string | Long);
  'storedBytes'?: (number | string | Long);
  'actor'?: (string);
  'reason'?: (string);
  /**
   * True: only validates, and returns what it would set.
   */
  'validateOnly'?: (boolean);
  '_mediaMinutes'?: "mediaMinutes";
  '_fetchedBytes'?: "fetchedBytes";
  '_storedBytes'?: "storedBytes";
}

export interface SetBudgetsRequestOut {
  'publisherId': (string);
  /**
   * As in Budgets; 0: none from now on. What is left out stays.
   */
  'mediaMinutes'?: (number);
  'fetchedBytes'?: (number);
  'storedBytes'?: (number);
  'actor': (string);
  'reason': (string);
  /**
   * True: only validates, and returns what it would set.
   */
  'validateOnly': (boolean);
  '_mediaMinutes'?: "mediaMinutes";
  '_fetchedBytes'?: "fetchedBytes";
  '_storedBytes'?: "storedBytes";
}
