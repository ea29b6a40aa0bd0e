// Original file: vds/indexer/v1/indexer.proto

import type { Long } from '@grpc/proto-loader';

/**
 * What apps show of a live video.
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
 * What apps show of a live video.
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
