// Original file: vds/catalog/v1/catalog.proto


export interface DailyUse {
  'used'?: ({[key: string]: number});
  /**
   * Whole seconds until 00:00 UTC.
   */
  'resetsInSeconds'?: (number);
}

export interface DailyUseOut {
  'used': ({[key: string]: number});
  /**
   * Whole seconds until 00:00 UTC.
   */
  'resetsInSeconds': (number);
}
