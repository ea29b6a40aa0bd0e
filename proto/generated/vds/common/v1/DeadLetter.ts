// Original file: vds/common/v1/dead_letter_admin.proto

import type { Long } from '@grpc/proto-loader';

export interface DeadLetter {
  /**
   * Its number among the service's dead letters.
   */
  'sequence'?: (number | string | Long);
  /**
   * The event.
   */
  'subject'?: (string);
  /**
   * Why the service gave up.
   */
  'reason'?: (string);
  /**
   * The publisher's message id.
   */
  'messageId'?: (string);
  /**
   * RFC 3339, UTC.
   */
  'deadLetteredAt'?: (string);
  /**
   * JSON; empty in lists, and for a payload that cannot be decoded.
   */
  'payload'?: (string);
}

export interface DeadLetterOut {
  /**
   * Its number among the service's dead letters.
   */
  'sequence': (number);
  /**
   * The event.
   */
  'subject': (string);
  /**
   * Why the service gave up.
   */
  'reason': (string);
  /**
   * The publisher's message id.
   */
  'messageId': (string);
  /**
   * RFC 3339, UTC.
   */
  'deadLetteredAt': (string);
  /**
   * JSON; empty in lists, and for a payload that cannot be decoded.
   */
  'payload': (string);
}
