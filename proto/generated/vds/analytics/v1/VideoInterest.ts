// Original file: vds/analytics/v1/analytics_events.proto


/**
 * How much a video is watched now: a viewer who watches as much of it as of videos of its length is usual counts 1 at
 * first, and half after each half-life.
 */
export interface VideoInterest {
  'videoId'?: (string);
  'interest'?: (number | string);
}

/**
 * How much a video is watched now: a viewer who watches as much of it as of videos of its length is usual counts 1 at
 * first, and half after each half-life.
 */
export interface VideoInterestOut {
  'videoId': (string);
  'interest': (number);
}
