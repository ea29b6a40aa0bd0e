// Original file: vds/catalog/v1/catalog.proto


export interface DailyCount {
  'limit'?: (number);
  'remaining'?: (number);
  /**
   * Whole seconds until 00:00 UTC by the database clock, at least 1.
   */
  'resetsInSeconds'?: (number);
}

export interface DailyCountOut {
  'limit': (number);
  'remaining': (number);
  /**
   * Whole seconds until 00:00 UTC by the database clock, at least 1.
   */
  'resetsInSeconds': (number);
}
