// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

export interface ReindexStatus {
  /**
   * none, running, done or failed
   */
  'state'?: (string);
  'fromIndex'?: (string);
  'toIndex'?: (string);
  'written'?: (number | string | Long);
  'seen'?: (number | string | Long);
  'startedAt'?: (string);
  'finishedAt'?: (string);
  'error'?: (string);
  '_startedAt'?: "startedAt";
  '_finishedAt'?: "finishedAt";
  '_error'?: "error";
}

export interface ReindexStatusOut {
  /**
   * none, running, done or failed
   */
  'state': (string);
  'fromIndex': (string);
  'toIndex': (string);
  'written': (number);
  'seen': (number);
  'startedAt'?: (string);
  'finishedAt'?: (string);
  'error'?: (string);
  '_startedAt'?: "startedAt";
  '_finishedAt'?: "finishedAt";
  '_error'?: "error";
}
