// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

/**
 * The fields of a live video that apps show.
 */
export interface Item {
  'videoId'?: (string);
  'publisherId'?: (string);
  'title'?: (string);
  'summary'?: (string);
  'tags'?: (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode'?: (string);
  'durationMs'?: (number | string | Long);
  'playbackId'?: (string);
  'thumbnailUrl'?: (string);
  'publishedAt'?: (string);
  'topics'?: (string)[];
  'captionLanguages'?: (string)[];
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_thumbnailUrl'?: "thumbnailUrl";
}

/**
 * The fields of a live video that apps show.
 */
export interface ItemOut {
  'videoId': (string);
  'publisherId': (string);
  'title': (string);
  'summary'?: (string);
  'tags': (string)[];
  'sport'?: (string);
  'category'?: (string);
  'languageCode': (string);
  'durationMs': (number);
  'playbackId': (string);
  'thumbnailUrl'?: (string);
  'publishedAt': (string);
  'topics': (string)[];
  'captionLanguages': (string)[];
  '_summary'?: "summary";
  '_sport'?: "sport";
  '_category'?: "category";
  '_thumbnailUrl'?: "thumbnailUrl";
}
