// Original file: vds/indexer/v1/indexer.proto

import type { Mark as _vds_indexer_v1_Mark, MarkOut as _vds_indexer_v1_MarkOut } from '../../../vds/indexer/v1/Mark.ts';
import type { Long } from '@grpc/proto-loader';

export interface Snippet {
  /**
   * title, summary, tags, topics, transcript or screen
   */
  'field'?: (string);
  /**
   * BCP 47 of a transcript or a translation.
   */
  'language'?: (string);
  'text'?: (string);
  'marks'?: (_vds_indexer_v1_Mark)[];
  /**
   * Where in the video it is spoken or shown.
   */
  'atMs'?: (number | string | Long);
  '_language'?: "language";
  '_atMs'?: "atMs";
}

export interface SnippetOut {
  /**
   * title, summary, tags, topics, transcript or screen
   */
  'field': (string);
  /**
   * BCP 47 of a transcript or a translation.
   */
  'language'?: (string);
  'text': (string);
  'marks': (_vds_indexer_v1_MarkOut)[];
  /**
   * Where in the video it is spoken or shown.
   */
  'atMs'?: (number);
  '_language'?: "language";
  '_atMs'?: "atMs";
}
