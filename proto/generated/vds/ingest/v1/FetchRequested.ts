// Original file: vds/ingest/v1/ingest_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests ingest to fetch the source. Republished until ingest has published its terminal event for this attempt.
 */
export interface FetchRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  /**
   * When the partner's request was accepted, milliseconds since the epoch by the database's clock: a signed address may
   * live for 30 minutes only. Absent: just now.
   */
  'acceptedAtMs'?: (number | string | Long);
  /**
   * The host of the source, with its port where it names one: hosts share slots.
   */
  'sourceHost'?: (string);
  '_acceptedAtMs'?: "acceptedAtMs";
}

/**
 * Requests ingest to fetch the source. Republished until ingest has published its terminal event for this attempt.
 */
export interface FetchRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  /**
   * When the partner's request was accepted, milliseconds since the epoch by the database's clock: a signed address may
   * live for 30 minutes only. Absent: just now.
   */
  'acceptedAtMs'?: (number);
  /**
   * The host of the source, with its port where it names one: hosts share slots.
   */
  'sourceHost': (string);
  '_acceptedAtMs'?: "acceptedAtMs";
}
