// Original file: vds/playback/v1/playback_events.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What a player reports of one view (CMCD version 2, CTA-5004-A, event mode), or what a request for a segment says of it
 * (CMCD version 1). Counters are cumulative, so that lost, repeated and reordered reports do no harm.
 */
export interface ViewReported {
  /**
   * Unique: the playback id, the view and its number within the view.
   */
  'eventId'?: (string);
  /**
   * The player's session, which may play several videos.
   */
  'viewId'?: (string);
  'playbackId'?: (string);
  'videoId'?: (string);
  /**
   * A keyed hash of the app's own id of the viewer, from the token; empty: the app named none.
   */
  'viewer'?: (string);
  /**
   * The player's own random id; empty: it has none.
   */
  'deviceId'?: (string);
  /**
   * By playback's clock.
   */
  'receivedAtMs'?: (number | string | Long);
  /**
   * By the viewer's clock where it lies between the making of the token and received_at_ms; else the latter.
   */
  'occurredAtMs'?: (number | string | Long);
  /**
   * play, time, state, error, hide, or segment for a request of version 1.
   */
  'eventType'?: (string);
  /**
   * preloading, starting, playing, seeking, rebuffering, paused, ended, failed; empty: not said.
   */
  'state'?: (string);
  'positionMs'?: (number | string | Long);
  /**
   * Cumulative: time in which pictures moved.
   */
  'watchedMs'?: (number | string | Long);
  /**
   * Cumulative: time in which the player waited for data, seeks left out, and how often.
   */
  'stalledMs'?: (number | string | Long);
  'stalls'?: (number);
  /**
   * From the player's start to its first picture.
   */
  'startupMs'?: (number | string | Long);
  /**
   * Which twentieths of the video were seen, the first in the lowest bit.
   */
  'seen'?: (number);
  'bitrateKbps'?: (number);
  'throughputKbps'?: (number);
  'bufferMs'?: (number | string | Long);
  /**
   * The player's name of a failure; empty: none.
   */
  'errorCode'?: (string);
  /**
   * Whether the view cannot go on.
   */
  'fatal'?: (boolean);
  /**
   * ISO 3166-1; empty: unknown.
   */
  'country'?: (string);
  /**
   * At most 256 characters; only what it says of the device is kept.
   */
  'userAgent'?: (string);
  /**
   * Where the counters were made: empty for the player's own, else the replica that counted requests for segments.
   */
  'source'?: (string);
  /**
   * Whether the view was asked to play by then; absent: from before playback said so.
   */
  'asked'?: (boolean);
  '_positionMs'?: "positionMs";
  '_watchedMs'?: "watchedMs";
  '_stalledMs'?: "stalledMs";
  '_stalls'?: "stalls";
  '_startupMs'?: "startupMs";
  '_seen'?: "seen";
  '_bitrateKbps'?: "bitrateKbps";
  '_throughputKbps'?: "throughputKbps";
  '_bufferMs'?: "bufferMs";
  '_asked'?: "asked";
}

/**
 * What a player reports of one view (CMCD version 2, CTA-5004-A, event mode), or what a request for a segment says of it
 * (CMCD version 1). Counters are cumulative, so that lost, repeated and reordered reports do no harm.
 */
export interface ViewReportedOut {
  /**
   * Unique: the playback id, the view and its number within the view.
   */
  'eventId': (string);
  /**
   * The player's session, which may play several videos.
   */
  'viewId': (string);
  'playbackId': (string);
  'videoId': (string);
  /**
   * A keyed hash of the app's own id of the viewer, from the token; empty: the app named none.
   */
  'viewer': (string);
  /**
   * The player's own random id; empty: it has none.
   */
  'deviceId': (string);
  /**
   * By playback's clock.
   */
  'receivedAtMs': (number);
  /**
   * By the viewer's clock where it lies between the making of the token and received_at_ms; else the latter.
   */
  'occurredAtMs': (number);
  /**
   * play, time, state, error, hide, or segment for a request of version 1.
   */
  'eventType': (string);
  /**
   * preloading, starting, playing, seeking, rebuffering, paused, ended, failed; empty: not said.
   */
  'state': (string);
  'positionMs'?: (number);
  /**
   * Cumulative: time in which pictures moved.
   */
  'watchedMs'?: (number);
  /**
   * Cumulative: time in which the player waited for data, seeks left out, and how often.
   */
  'stalledMs'?: (number);
  'stalls'?: (number);
  /**
   * From the player's start to its first picture.
   */
  'startupMs'?: (number);
  /**
   * Which twentieths of the video were seen, the first in the lowest bit.
   */
  'seen'?: (number);
  'bitrateKbps'?: (number);
  'throughputKbps'?: (number);
  'bufferMs'?: (number);
  /**
   * The player's name of a failure; empty: none.
   */
  'errorCode': (string);
  /**
   * Whether the view cannot go on.
   */
  'fatal': (boolean);
  /**
   * ISO 3166-1; empty: unknown.
   */
  'country': (string);
  /**
   * At most 256 characters; only what it says of the device is kept.
   */
  'userAgent': (string);
  /**
   * Where the counters were made: empty for the player's own, else the replica that counted requests for segments.
   */
  'source': (string);
  /**
   * Whether the view was asked to play by then; absent: from before playback said so.
   */
  'asked'?: (boolean);
  '_positionMs'?: "positionMs";
  '_watchedMs'?: "watchedMs";
  '_stalledMs'?: "stalledMs";
  '_stalls'?: "stalls";
  '_startupMs'?: "startupMs";
  '_seen'?: "seen";
  '_bitrateKbps'?: "bitrateKbps";
  '_throughputKbps'?: "throughputKbps";
  '_bufferMs'?: "bufferMs";
  '_asked'?: "asked";
}
