// Original file: vds/metadata/v1/metadata.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What viewers would want to see again, such as a goal.
 */
export interface KeyMoment {
  'startMs'?: (number | string | Long);
  'endMs'?: (number | string | Long);
  'score'?: (number | string);
  /**
   * What says so: crowd, commentary, replay, score or cuts; the strongest first.
   */
  'reasons'?: (string)[];
  /**
   * From the commentary; empty where nothing is said.
   */
  'title'?: (string);
  /**
   * BCP 47; of the title.
   */
  'languageCode'?: (string);
}

/**
 * What viewers would want to see again, such as a goal.
 */
export interface KeyMomentOut {
  'startMs': (number);
  'endMs': (number);
  'score': (number);
  /**
   * What says so: crowd, commentary, replay, score or cuts; the strongest first.
   */
  'reasons': (string)[];
  /**
   * From the commentary; empty where nothing is said.
   */
  'title': (string);
  /**
   * BCP 47; of the title.
   */
  'languageCode': (string);
}
