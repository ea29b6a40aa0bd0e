// Original file: vds/analytics/v1/analytics_events.proto


export interface Companion {
  'videoId'?: (string);
  /**
   * How many times more viewers watch both than chance would have it, drawn towards 1 where there are few.
   */
  'lift'?: (number | string);
}

export interface CompanionOut {
  'videoId': (string);
  /**
   * How many times more viewers watch both than chance would have it, drawn towards 1 where there are few.
   */
  'lift': (number);
}
