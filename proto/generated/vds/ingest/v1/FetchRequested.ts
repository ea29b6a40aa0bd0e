// Original file: vds/ingest/v1/ingest_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Requests ingest to fetch the source. Republished until ingest has published its terminal event for this attempt.
 */
export interface FetchRequested {
  'videoId'?: (string);
  'attempt'?: (number);
  'publisherId'?: (string);
  'sourceUrl'?: (string);
  /**
   * When the partner's request was accepted, milliseconds since the epoch: a signed address may live for 30 minutes only.
   */
  'acceptedAtMs'?: (number | string | Long);
}

/**
 * Requests ingest to fetch the source. Republished until ingest has published its terminal event for this attempt.
 */
export interface FetchRequestedOut {
  'videoId': (string);
  'attempt': (number);
  'publisherId': (string);
  'sourceUrl': (string);
  /**
   * When the partner's request was accepted, milliseconds since the epoch: a signed address may live for 30 minutes only.
   */
  'acceptedAtMs': (number);
}
